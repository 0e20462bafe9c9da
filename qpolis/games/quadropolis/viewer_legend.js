"use strict";
// The legend of Quadropolis: `facts.py` says what the mode and the mix in play have.
{
  const { element, svg } = qpolis;
  const { WIDE, HIGH, NAMES, sign, icon, tile, building, pawn, at } = qpolis.quadropolis;

  const signed = (points) => String(points).replace("-", "−");
  const listed = (points) => points.map(signed).join(", ");

  // 5 for each park beside it, 3 shop ...: what gives most first.
  const beside = (points) => {
    const [[type, most], ...others] = Object.entries(points).sort(([, one], [, two]) => two - one);
    return [`${signed(most)} for each ${NAMES[type]} beside it`,
      ...others.map(([other, each]) => `${signed(each)} ${NAMES[other]}`)].join(", ");
  };

  const needed = ({ inhabitants, energy }) => [inhabitants ? `${inhabitants} inhabitant` : null,
    energy ? `${energy} energy` : null].filter(Boolean).join(" and ") || "nothing";

  const held = (amounts) => {
    if (amounts.length > 1) return `holds ${amounts.join(" or ")} unused energy, as its tile says`;
    return `holds ${amounts[0] || "no"} unused energy`;
  };

  const officeTable = (rows) => element("table", { class: "offices" },
    element("thead", {}, element("tr", {}, element("th", {}, "group"),
      rows[0].map((_, floor) => element("th", {}, `${floor + 1} floor${floor ? "s" : ""}`)))),
    element("tbody", {}, rows.map((row, size) => element("tr", {},
      element("th", {}, `${size + 1}${size + 1 === rows.length ? "+" : ""}`),
      row.map((points) => element("td", {}, points))))));

  // What buildings score, by type.
  const SCORING = {
    tower: ({ points, floors }) => `by floors, at most ${floors}: ${listed(points.tower)}`,
    shop: ({ points, customers }) =>
      `by customers (inhabitants put there), at most ${customers}: ${listed(points.shop)}`,
    service: ({ points }) => `all together by districts that have one: ${listed(points.service)}`,
    park: ({ points, holds, mode }) => `by tower blocks${mode === "expert" ? " and office towers" : ""} beside it: `
      + `${listed(points.park)}; ${held(holds)}`,
    factory: ({ points }) => beside(points.factory),
    harbor: ({ points }) => "the longest line across and the longest down, each by its length from 2 on: "
      + listed(points.harbor),
    office: ({ floors, points }) => [`by floors, at most ${floors}, and by how many office towers are connected: `,
      officeTable(points.office)],
    monument: ({ points }) => beside(points.monument),
  };

  const sample = (drawn) => svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": true,
    style: "width:3.8rem;height:auto;display:inline-block;vertical-align:middle" }, drawn);
  const line = (drawn, ...said) => element("tr", {}, element("td", {}, drawn), element("td", { class: "words" }, said));
  const small = (name) => icon(14, sign(name, 2, 2));
  const stand = (letter) => icon(24, svg("g", { transform: at(12, 13) }, pawn(0, 0, 21, letter)));

  // What is the same in both modes and what is not, besides the points.
  const signs = ({ mode, floors, holds }) => {
    const expert = mode === "expert";
    const onto = `a tower block goes on a tower block${expert ? ", an office tower on an office tower" : ""}`;
    return [
      line(sample(building({ type: "tower", floors: 3, vp: 0 })),
        `a stack of 3 floors: ${onto}, up to ${floors} floors; `
        + "architect n may add a floor where it may build, and on any stack when that makes it floor n"),
      line(sample(building({ type: "shop", floors: 1, vp: 0 }, { active: false })),
        "at the end: not activated, as if it were not there"),
      line([small("inhabitants"), small("energy")],
        "inhabitants and energy; what is left over at the end costs a point each",
        holds.some(Boolean) ? ", but not energy that parks hold" : ""),
      line([small("vp"), small("mayor")], "points printed on a tile; the mayor, who starts the next round"),
      line([stand(""), stand("U")], "an architect at its position; the urbanist, who blocks the positions marked ×"),
      line("→", "a full line: what is decided here; a dotted line: what was decided before"),
      line("#1:3", "where hints are shown: the best of them, with architect 3"),
      line("3@N2", "architect 3 at N2 takes the third tile of column 2, counted from N2"),
      line("c2", "column c, line 2 of a city: ", expert
        ? "architect n builds on a square with number n or in district n, whose number is on a dark disc"
        : "architect n builds in line n or column n; the four districts are the quarters"),
    ];
  };

  qpolis.quadropolis.legend = (facts) => {
    const shown = { inhabitants: 0, energy: 0, vp: 0, mayor: false };
    const kinds = Object.entries(facts.points).map(([type]) => line(sample(tile({ type, ...shown })),
      element("strong", {}, NAMES[type]), `: needs ${needed(facts.needs[type])}; `, SCORING[type](facts)));
    return element("table", { class: "legend" }, element("tbody", {}, kinds, signs(facts)));
  };
}
