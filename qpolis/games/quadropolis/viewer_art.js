"use strict";
// The pieces of Quadropolis as drawings: tiles and buildings, what they bring, architects. Every type of building has a
// colour, a picture and its name, so that none depends on colour alone.
{
  const { svg } = qpolis;

  // Width and height of a square, and where the base of a building is.
  const [WIDE, HIGH, GROUND] = [78, 66, 49];

  const COLOURS = { tower: 1, shop: 4, service: 3, park: 2, factory: 8, harbor: 5, office: 6, monument: 7 };
  const NAMES = { tower: "tower block", shop: "shop", service: "public service", park: "park", factory: "factory",
    harbor: "harbor", office: "office tower", monument: "monument" };

  // Outlines in a box of 24 by 24; a shape inside a shape is a hole.
  const PICTURES = {
    tower: "M5 3H19V22H5ZM7.5 6H10.5V9H7.5ZM13.5 6H16.5V9H13.5ZM7.5 11H10.5V14H7.5ZM13.5 11H16.5V14H13.5Z"
      + "M7.5 16H10.5V19H7.5ZM13.5 16H16.5V19H13.5Z",
    shop: "M2 10L5 3H19L22 10ZM4 11.5H20V22H4ZM6.5 14H11V18.5H6.5ZM13.5 14H17.5V22H13.5Z",
    service: "M2 9L12 2L22 9ZM4 10.5H7.5V18H4ZM10.25 10.5H13.75V18H10.25ZM16.5 10.5H20V18H16.5ZM2 19H22V22.5H2Z",
    park: "M12 1.5A7.2 7.2 0 1 0 12.01 1.5ZM10.5 15.8H13.5V22.5H10.5Z",
    factory: "M2 22V11L8 15V11L14 15L14.5 2H18L18.8 15H22V22ZM5 17.5H8V19.5H5ZM11 17.5H14V19.5H11Z",
    harbor: "M2 15.5H22L18.5 21.5H5.5ZM11.5 2V14H4ZM13 4.5L19.5 14H13Z",
    office: "M11.3 0.5H12.7V5H11.3ZM7 5H17V22H7ZM8.8 7H10.2V20H8.8ZM11.3 7H12.7V20H11.3ZM13.8 7H15.2V20H13.8Z",
    monument: "M12 0.5L14 4.5L15.2 16.5H8.8L10 4.5ZM7 17.2H17V19.5H7ZM4.5 20.2H19.5V22.5H4.5Z",
  };
  // The same in a box of 10 by 10, for what is counted.
  const SIGNS = {
    inhabitants: ["M5 0.3A2.2 2.2 0 1 0 5.01 0.3ZM1 9.8C1 6.5 2.5 5.2 5 5.2S9 6.5 9 9.8Z", "var(--ink)"],
    energy: ["M6 0L1.5 5.7H4.7L3.7 10L8.6 4H5.2Z", "var(--c4)"],
    vp: ["M5 0.2L6.4 3.5L9.9 3.8L7.2 6.1L8.1 9.6L5 7.7L1.9 9.6L2.8 6.1L0.1 3.8L3.6 3.5Z", "var(--c1)"],
    mayor: ["M2.8 0.8H7.2L7 6.5H9.8V8.5H0.2V6.5H3Z", "var(--ink)"],
  };

  const colour = (type) => `var(--c${COLOURS[type]})`;
  const pale = (type) => `color-mix(in srgb, ${colour(type)} 22%, var(--paper))`;
  const at = (x, y, size = 1) => `translate(${x} ${y})${size === 1 ? "" : ` scale(${size})`}`;
  const words = (x, y, size, content, more = {}) =>
    svg("text", { x, y, "font-size": size, fill: "var(--ink)", ...more }, content);

  const picture = (type, x, y, size) => svg("path", { d: PICTURES[type], transform: at(x, y, size / 24),
    fill: colour(type), stroke: "var(--ink)", "stroke-width": 1, "stroke-linejoin": "round", "fill-rule": "evenodd" });

  const sign = (name, x, y, size = 10) => svg("path", { d: SIGNS[name][0], transform: at(x, y, size / 10),
    fill: SIGNS[name][1], stroke: "var(--ink)", "stroke-width": 0.5 });

  // Drawn among words.
  const icon = (size, ...drawn) =>
    svg("svg", { class: "icon", viewBox: `0 0 ${size} ${size}`, "aria-hidden": true }, drawn);

  // A sign with a number behind it.
  const count = (name, number, x, y, size = 11) => svg("g", {}, sign(name, x, y, size),
    words(x + size + 2, y + size - 1, size + 1, number, { "font-weight": 600 }));

  // Floors on one another: blocks are broad with windows, offices narrow with panes and a mast.
  const stack = (type, floors, middle, ground) => {
    const [wide, high] = [type === "office" ? 26 : 40, 8.8];
    const holes = type === "office" ? [3, 9, 14.5, 20.5].map((x) => [x, 2.5]) : [5, 13, 21, 29].map((x) => [x, 5.5]);
    const floor = (number) => {
      const top = ground - high * (number + 1);
      const left = middle - wide / 2;
      const panes = holes.map(([x, width]) => `M${left + x} ${top + 2}h${width}v${high - 4}h${-width}Z`).join("");
      return svg("path", { d: `M${left} ${top}h${wide}v${high}h${-wide}Z${panes}`, fill: colour(type),
        stroke: "var(--ink)", "stroke-width": 0.8, "fill-rule": "evenodd", "data-floor": number + 1 });
    };
    const top = ground - high * floors;
    return svg("g", {},
      type === "office" ? svg("path", { d: `M${middle} ${top}v-7`, stroke: "var(--ink)", "stroke-width": 1.5 }) : null,
      [...Array(floors).keys()].map(floor));
  };

  const ground = (type, more = {}) => svg("rect", { x: 1.5, y: 1.5, width: WIDE - 3, height: HIGH - 3, rx: 6,
    fill: pale(type), stroke: colour(type), "stroke-width": 1.6, ...more });
  const label = (content) => words(WIDE / 2, HIGH - 6, 11, content, { "text-anchor": "middle" });

  const gains = (tile) => ["inhabitants", "energy", "vp"].filter((name) => tile[name]);
  const told = (tile) => [...gains(tile).map((name) => `${tile[name]} ${name === "vp" ? "points" : name}`),
    tile.mayor ? "mayor" : null].filter(Boolean).join(", ");
  const tileText = (tile) => NAMES[tile.type] + (told(tile) ? ` (${told(tile)})` : "");

  // A tile as it lies on the site, or in a hand.
  const tile = (shown, more = {}) => svg("g", { "data-tile": shown.type, ...more }, svg("title", {}, tileText(shown)),
    ground(shown.type), picture(shown.type, 8, 9, 38), label(shown.type),
    gains(shown).map((name, place) => count(name, shown[name], 50, 8 + 15 * place)),
    shown.mayor ? sign("mayor", 50, 37, 13) : null);

  // Lines across a square, for what does not count.
  const hatch = () => {
    const lines = [];
    for (let start = -HIGH + 12; start < WIDE; start += 9) {
      const [from, to] = [Math.max(start, 3), Math.min(start + HIGH, WIDE - 3)];
      if (from < to) lines.push(`M${from} ${HIGH - 1.5 - (from - start)}L${to} ${HIGH - 1.5 - (to - start)}`);
    }
    return svg("path", { d: lines.join(""), stroke: "var(--grey)", "stroke-width": 1, opacity: 0.7 });
  };

  // Inhabitants and energy that lie on a building, one by one.
  const tokens = (people, power) => [...Array(power).fill("energy"), ...Array(people).fill("inhabitants")]
    .map((name, place) => svg("g", { "data-token": name }, sign(name, WIDE - 14 - 12 * Math.floor(place / 3),
      21 + 11 * (place % 3), 9.5)));

  // A building of a city. `settled`: at the end, whether it is active and what lies on it.
  const building = (built, settled = null) => {
    const high = ["tower", "office"].includes(built.type);
    const idle = settled && !settled.active;
    return svg("g", { "data-building": built.type, "data-floors": built.floors, "data-inactive": idle || null },
      svg("title", {}, NAMES[built.type] + (high ? `, ${built.floors} floors` : "")
        + (built.vp ? `, ${built.vp} points printed` : "") + (idle ? ", inactive" : "")),
      svg("g", idle ? { opacity: 0.45, style: "filter:grayscale(1)" } : {}, ground(built.type),
        high ? stack(built.type, built.floors, 36, GROUND) : picture(built.type, 17, 13, 34),
        label(high ? `${built.type} ${built.floors}` : built.type),
        built.vp ? count("vp", built.vp, WIDE - 27, 6, 10) : null),
      idle ? hatch() : null, settled && !idle ? tokens(settled.people, settled.power) : null);
  };

  // Somebody who stands there, with a letter or number.
  const pawn = (x, y, size, letter = "", fill = "var(--ink)") => svg("g", { transform: at(x, y, size / 20) },
    svg("path", { d: "M0 -10A4.2 4.2 0 0 1 2.6 -2.6L7.5 9H-7.5L-2.6 -2.6A4.2 4.2 0 0 1 0 -10Z", fill,
      stroke: "var(--paper)", "stroke-width": 0.8 }),
    letter ? words(0, 7.5, 8, letter, { "text-anchor": "middle", fill: "var(--paper)", "font-weight": 700 }) : null);

  // An architect's number on a disc.
  const disc = (number, x, y, radius = 10, more = {}) => svg("g", {},
    svg("circle", { cx: x, cy: y, r: radius, fill: "var(--card)", stroke: "var(--ink)", "stroke-width": 1.3, ...more }),
    words(x, y + radius * 0.42, radius * 1.2, number, { "text-anchor": "middle", "font-weight": 700 }));

  // Make a drawing something to click, or to choose with the keyboard.
  const pick = (drawn, name, act, attributes) =>
    qpolis.give(drawn, qpolis.pressable(name, act, { class: "pick", ...attributes }));

  const box = (x, y, width, height, more) => svg("rect", { x, y, width, height, rx: 6, fill: "none", ...more });
  const plot = () => box(0, 0, WIDE, HIGH, { rx: 0, fill: "var(--paper)", stroke: "var(--line)" });
  const ring = (more = {}) => box(1.5, 1.5, WIDE - 3, HIGH - 3, { class: "ring", stroke: "var(--accent)",
    "stroke-width": 2.2, "stroke-dasharray": "5 3", "pointer-events": "all", ...more });
  // What is decided here is marked by a full line, what was decided before by a dotted one.
  const chosenMark = { stroke: "var(--accent)", "stroke-width": 4 };
  const lastMark = { stroke: "var(--link)", "stroke-width": 3, "stroke-dasharray": "3 3" };

  const badge = (content, x, y, told) => svg("g", { "data-hint": content, "pointer-events": "none" },
    svg("title", {}, told),
    box(x, y, 6.5 * content.length + 6, 15, { rx: 7, fill: "var(--good)", stroke: "var(--paper)" }),
    words(x + 3.25 * content.length + 3, y + 11.5, 10.5, content,
      { fill: "var(--paper)", "text-anchor": "middle", "font-weight": 700 }));

  qpolis.quadropolis = { WIDE, HIGH, NAMES, GROUND, words, picture, sign, icon, count, tile, tileText, building, stack,
    pawn, disc, at, pick, box, plot, ring, badge, chosenMark, lastMark };
}
