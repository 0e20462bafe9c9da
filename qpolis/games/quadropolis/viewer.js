"use strict";
// The viewer of Quadropolis: the construction site, the cities, and the points. Where actions can be chosen, an element
// that chooses one has data-action, and one that only narrows the choice data-step.
{
  const { element, svg } = qpolis;
  const { WIDE, HIGH, NAMES, picture, sign, tile, building, pawn, at, meaning, site, city } = qpolis.quadropolis;

  const STYLE = `
    .quadropolis { container-type: inline-size; }
    .quadropolis .field {
      display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: .8rem; align-items: start;
    }
    .quadropolis .field.classic.of2.going { grid-template-columns: minmax(0, 1.36fr) minmax(0, 1fr); }
    .quadropolis .part:has(table.broad) { grid-column: 1 / -1; }
    .quadropolis .part { display: flex; flex-direction: column; gap: .8rem; min-width: 0; }
    .quadropolis svg.scene { overflow: visible; }
    .quadropolis .told { min-height: 3em; margin: 0; font-size: .9rem; }
    .quadropolis table { width: 100%; font-size: .88rem; }
    .quadropolis th, .quadropolis td { padding: .15rem .25rem; text-align: center; font-weight: 400; }
    .quadropolis th:first-child { text-align: left; }
    .quadropolis thead th { white-space: normal; }
    .quadropolis table.broad thead .name { display: block; }
    .quadropolis .wide { margin: 0; }
    .quadropolis caption { text-align: left; color: var(--grey); font-size: .9rem; }
    .quadropolis table.legend td, .quadropolis table.legend th { text-align: left; padding: .25rem .5rem; }
    .quadropolis td.zero { color: var(--grey); }
    .quadropolis svg.icon { display: inline-block; width: 1.6rem; height: 1.6rem; vertical-align: middle; }
    .quadropolis .pick { cursor: pointer; }
    .quadropolis .pick:hover .ring, .quadropolis .pick:focus-visible .ring { stroke-width: 4; }
    .quadropolis .pick:focus { outline: none; }
    .quadropolis .pick:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    @container (max-width: 620px) {
      .quadropolis table.broad thead .name { display: none; }
      .quadropolis table.broad th, .quadropolis table.broad td { padding: .15rem .1rem; }
      .quadropolis .part { display: contents; }
      .quadropolis .field .other { order: 1; }
      .quadropolis .field.going .wide { order: 9; }
      .quadropolis .field, .quadropolis .field.classic.of2.going { grid-template-columns: minmax(0, 1fr); }
    }`;

  // The best of the hints by action, with their places.
  const ranked = (scene) => qpolis.best(scene).map((hint, place) => ({ ...meaning(hint),
    rank: `#${place + 1}`, told: `hint ${place + 1}: ${hint.text}, ${(100 * hint.value).toFixed(0)}% of a win` }));

  // -- the points --------------------------------------------------------------------------------------------

  const icon = (size, ...drawn) =>
    svg("svg", { class: "icon", viewBox: `0 0 ${size} ${size}`, "aria-hidden": true }, drawn);

  // Points by type of building: a table with a column for each seat, or a broad one with a line for each seat.
  const points = (table, broad) => {
    if (!table.seats.length) return null;
    const best = Math.max(...table.seats.map((seat) => seat.total));
    const heads = [null, ...table.kinds.map((type) => [icon(24, picture(type, 0, 0, 24)), " ",
      element("span", { class: "name" }, NAMES[type])]), "left over", element("strong", {}, "sum")];
    const columns = table.seats.map((seat, number) => [qpolis.seat(number),
      ...table.kinds.map((type) => seat.points[type]), seat.penalties,
      element(seat.total === best ? "strong" : "span", { "data-total": number }, seat.total)]);
    const lines = broad ? [heads.map((head, line) => (line ? head : "seat")), ...columns]
      : heads.map((head, line) => [line ? head : "building", ...columns.map((column) => column[line])]);
    const [first, ...others] = lines.map((line, row) => element("tr", {}, line.map((content, place) =>
      element(row && place ? "td" : "th", { class: content === 0 ? "zero" : null }, content))));
    return element("div", { class: "wide" }, element("table", { class: `points ${broad ? "broad" : "tall"}` },
      element("caption", {}, table.position.player === null ? "Points by building" : "Points, if the game ended here"),
      element("thead", {}, first), element("tbody", {}, others)));
  };

  // -- everything --------------------------------------------------------------------------------------------

  const asked = (table) => {
    const { position } = table;
    if (position.player === null) return "";
    const round = `Round ${position.round}${table.rounds ? ` of ${table.rounds}` : ""}`;
    const when = `${round}, turn ${position.turn} of 4, seat ${position.first} began. `;
    if (table.places.length) return `${when}Place the ${NAMES[position.held.tile.type]} in the city, or discard it.`;
    if (table.takes.length && table.number === null) return `${when}Choose an architect.`;
    if (table.takes.length) return `${when}Choose where architect ${table.number} stands, or what it takes.`;
    if (position.held) return `${when}Architect ${position.held.architect} took ${NAMES[position.held.tile.type]}.`;
    const { last } = table.scene;
    return when + (last && last.text === "discard" ? `Seat ${last.seat} discarded its tile.` : "");
  };

  // What is known while a position is drawn. `chosen`: the architect and the square that the reader picked so far.
  const survey = (position, scene, chosen) => {
    const details = scene.details || {};
    const legal = (scene.legal || []).map(meaning);
    const takes = legal.filter((one) => one.post);
    const numbers = [...new Set(takes.map((take) => take.number))];
    const columns = details.columns || position.cities[0].length / 4;
    const table = {
      position, scene, columns, takes, numbers, places: legal.filter((one) => !one.post), hints: ranked(scene),
      number: numbers.length === 1 ? numbers[0] : chosen.number, square: chosen.square,
      districts: details.districts || position.cities[0].map(() => 1), squareNumbers: details.numbers || null,
      kinds: details.kinds || [], rounds: details.rounds, seats: details.seats || [],
    };
    table.asks = asked(table);
    return table;
  };

  // The parts of the drawing, in one or two columns.
  const parts = (table) => {
    const cities = table.position.cities.map((_, seat) => city(table, seat));
    if (table.position.player === null) return [points(table, true), ...cities];
    if (cities.length === 2) return [[site(table), points(table, false)], cities];
    if (cities.length === 3) return [site(table), ...cities, points(table, true)];
    return [site(table), points(table, false), ...cities];
  };

  const draw = (position, scene) => {
    const whole = element("div", { class: "quadropolis" });
    const chosen = { number: null, square: null };
    const show = () => {
      const table = survey(position, scene, chosen);
      const again = (step) => {
        show();
        const drawn = whole.querySelector(`[data-step="${step}"]`);
        if (drawn) drawn.focus();
      };
      table.choose = (action) => scene.choose(action);
      table.select = (number) => { Object.assign(chosen, { number, square: null }); again(`architect-${number}`); };
      table.aim = (square) => { chosen.square = square; again(`square-${square}`); };
      const made = parts(table).map((part) => element("div", { class: "part" }, part));
      const kind = `${position.mode} of${position.players} ${position.player === null ? "over" : "going"}`;
      whole.replaceChildren(element("style", {}, STYLE), element("div", { class: `field ${kind}` }, made));
    };
    show();
    return whole;
  };

  // -- the legend --------------------------------------------------------------------------------------------

  const SCORING = {
    tower: "needs 1 energy; by floors 1, 3, 6, 10, 15",
    shop: "needs 1 energy; by customers (inhabitants put there) 1, 2, 4, 7, 11",
    service: "needs 1 inhabitant; all together by districts that have one 2, 5, 9, 14, 20",
    park: "needs nothing; by towers and offices beside it 2, 4, 7, 11; holds 1 unused energy",
    factory: "needs 1 inhabitant; for each shop beside it 2, harbor 3, office 4",
    harbor: "needs 1 inhabitant; the longest line across and the longest down, by length from 2 on 3, 7, 12, 18",
    office: "expert; needs 1 inhabitant and 1 energy; by floors, alone 0, 1, 3, 6, 10, more with offices beside it",
    monument: "expert; needs nothing; for each park beside it 5, shop 3, service 2, factory or harbor −5",
  };

  const sample = (drawn, wide = WIDE, high = HIGH) => svg("svg", { viewBox: `0 0 ${wide} ${high}`, "aria-hidden": true,
    style: "width:3.8rem;height:auto;display:inline-block;vertical-align:middle" }, drawn);
  const line = (drawn, ...said) => element("tr", {}, element("td", {}, drawn), element("td", { class: "words" }, said));

  const legend = () => {
    const shown = { inhabitants: 0, energy: 0, vp: 0, mayor: false };
    const kinds = Object.entries(SCORING).map(([type, said]) => line(sample(tile({ type, ...shown })),
      element("strong", {}, NAMES[type]), `: ${said}`));
    const small = (name) => icon(14, sign(name, 2, 2));
    const stand = (letter) => icon(24, svg("g", { transform: at(12, 13) }, pawn(0, 0, 21, letter)));
    const inactive = building({ type: "shop", floors: 1, vp: 0 }, { active: false });
    return element("div", { class: "quadropolis" }, element("style", {}, STYLE), element("table", { class: "legend" },
      element("tbody", {}, kinds,
        line(sample(building({ type: "tower", floors: 3, vp: 0 })), "a stack of 3 floors"),
        line(sample(inactive), "at the end: not activated, as if it were not there"),
        line([small("inhabitants"), small("energy")],
          "inhabitants and energy; what is left over at the end costs a point each"),
        line([small("vp"), small("mayor")], "points printed on a tile; the mayor, who starts the next round"),
        line([stand(""), stand("U")], "an architect at its position; the urbanist, who blocks the positions marked ×"),
        line("→", "a full line: what is decided here; a dotted line: what was decided before"),
        line("#1:3", "where hints are shown: the best of them, with architect 3"),
        line("3@N2", "architect 3 at N2 takes the third tile of column 2, counted from N2"),
        line("c2", "column c, line 2 of a city: architect n builds in line or column n, in expert on a square with "
          + "number n or in district n, whose number is on a dark disc"))));
  };

  qpolis.viewers.quadropolis = { draw, legend };
}
