"use strict";
// The pieces of Arkadia: squares, outlines, pictograms, seals, workers, cards, and the words for actions. What the
// files of this viewer share is in qpolis.viewers.arkadia.
{
  const { element, svg } = qpolis;
  qpolis.viewers.arkadia ||= {};
  const ark = qpolis.viewers.arkadia;

  Object.assign(ark, {
    SIZE: 40, EDGE: 22, COLUMNS: 16, ROWS: 12,
    FAMILIES: ["red", "olive", "black", "silver"],
    LETTERS: { red: "R", olive: "O", black: "B", silver: "S" },
  });
  const { SIZE, EDGE } = ark;
  // By type, in a square of 24.
  const PICTOGRAMS = {
    house: "M2 12 12 3l10 9h-3v9h-5v-6h-4v6H5v-9z",
    farm: "M3 21V10l4-6h10l4 6v11h-5v-8H8v8zM9 7v3h6V7z",
    tavern: "M4 4h12v3h5v10h-5v4H4zm12 6v4h2v-4z",
    mill: "m12 10 2-8 4 1zm2 2 8 2-1 4zm-2 2-2 7-4-1zM10 12 2 9l1-4zM9 14h6l2 8H7z",
    smithy: "M2 6h19v3c-4 0-6 2-6 4l3 3v4H6v-4l3-3c0-2-1-3-3-3-2 0-4-2-4-4z",
    "trade-centre": "M11 2h2v3h7l3 8a4 4 0 0 1-8 0l3-6h-5v12h4v2H7v-2h4V7H6l3 6a4 4 0 0 1-8 0l3-8h7z",
    monastery: "M11 1h2v2h2v2h-2v3l6 5v9h-5v-5h-4v5H5v-9l6-5V5H9V3h2z",
  };
  const SHIELD = "M3 2h18v10c0 6-4 9-9 11-5-2-9-5-9-11z";

  // Column and row of a square such as c4, from 0; and its upper left corner in the drawing.
  ark.cell = (square) => [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
  ark.corner = (square) => ark.cell(square).map((place) => EDGE + SIZE * place);
  ark.square = (column, row) => `${String.fromCharCode(97 + column)}${row + 1}`;
  ark.split = (card) => [card.slice(0, card.lastIndexOf("-")), card.slice(card.lastIndexOf("-") + 1)];
  ark.typeName = (type) => type.replace("-", " ");
  ark.cardName = (card) => { const [type, family] = ark.split(card); return `${family} ${ark.typeName(type)}`; };
  // What a seal of each family is worth: the castle squares that show it.
  ark.worth = (position, family) => position.castle.filter(({ shows }) => shows === family).length;
  ark.level = (position) => Math.min(...position.castle.map(({ level }) => level)); // complete ones

  // The squares of the lot that carry blocks, clockwise from its first.
  ark.ring = (position) => {
    const cells = position.lot.map(ark.cell);
    const [[left, top], [right, bottom]] = [cells[0], cells.at(-1)];
    const line = (from, to) => Array.from({ length: Math.abs(to - from) }, (_, i) => from + Math.sign(to - from) * i);
    return [...line(left, right).map((x) => [x, top]), ...line(top, bottom).map((y) => [right, y]),
      ...line(right, left).map((x) => [x, bottom]), ...line(bottom, top).map((y) => [left, y])]
      .map(([x, y]) => ark.square(x, y));
  };

  // The squares beside some others, on the board.
  ark.beside = (squares) => {
    const found = squares.flatMap((square) => {
      const [x, y] = ark.cell(square);
      return [[x, y - 1], [x + 1, y], [x, y + 1], [x - 1, y]];
    }).filter(([x, y]) => x >= 0 && y >= 0 && x < ark.COLUMNS && y < ark.ROWS).map(([x, y]) => ark.square(x, y));
    return [...new Set(found)].filter((square) => !squares.includes(square));
  };

  // The outline of cells (columns and rows) as a path, drawn in by `inset`: edges clockwise, one after the other.
  ark.outlineOf = (cells, size, edge, inset) => {
    const has = new Set(cells.map(String));
    const ways = new Map();
    for (const [x, y] of cells) {
      if (!has.has(`${x},${y - 1}`)) ways.set(`${x},${y}`, [1, 0]);
      if (!has.has(`${x + 1},${y}`)) ways.set(`${x + 1},${y}`, [0, 1]);
      if (!has.has(`${x},${y + 1}`)) ways.set(`${x + 1},${y + 1}`, [-1, 0]);
      if (!has.has(`${x - 1},${y}`)) ways.set(`${x},${y + 1}`, [0, -1]);
    }
    const points = [];
    let at = cells[0];
    let before = null;
    do {
      const way = ways.get(String(at));
      if (before && String(before) !== String(way)) {
        points.push([0, 1].map((axis) => edge + size * at[axis]
          + inset * (axis ? before[0] + way[0] : -before[1] - way[1])));
      }
      before = way;
      at = [at[0] + way[0], at[1] + way[1]];
    } while (String(at) !== String(cells[0]));
    const [x, y] = cells[0]; // the upper left corner of the first cell is always one
    points.push([edge + size * x + inset, edge + size * y + inset]);
    return `M${points.map((point) => point.join(" ")).join("L")}Z`;
  };
  ark.outline = (squares, inset = 2) => ark.outlineOf(squares.map(ark.cell), SIZE, EDGE, inset);

  // What tells families apart besides colours and letters: lines across, dots, nothing, lines.
  const hatches = (family, x, y, size) => {
    const [low, half, high] = [size * 0.08, size / 2, size * 0.92];
    if (family === "red") {
      return `M${x + low} ${y + half}L${x + half} ${y + low}M${x + low} ${y + high}L${x + high} ${y + low}`
        + `M${x + half} ${y + high}L${x + high} ${y + half}`;
    }
    if (family === "olive") {
      return [0.2, 0.8].flatMap((dx) => [0.2, 0.8].map((dy) => `M${x + size * dx} ${y + size * dy}h.01`)).join("");
    }
    const across = (dy) => `M${x + low} ${y + size * dy}h${high - low}`;
    return family === "silver" ? [0.25, 0.5, 0.75].map(across).join("") : "";
  };
  ark.hatching = (family, corners, size = SIZE) => svg("path", { class: `hatching hatching-${family}`,
    "stroke-width": family === "olive" ? size / 9 : size / 20,
    d: corners.map(([x, y]) => hatches(family, x, y, size)).join("") });

  ark.pictogram = (type, x, y, size = 24) => svg("path", { class: "pictogram", "fill-rule": "evenodd",
    d: PICTOGRAMS[type], transform: `translate(${x} ${y}) scale(${size / 24})` });

  ark.seal = (family, x, y, size = 24) => svg("g", { class: `seal ${family}`,
    transform: `translate(${x} ${y}) scale(${size / 24})` },
  svg("path", { class: "shield", d: SHIELD }),
  svg("text", { x: 12, y: 16.5, "font-size": 15 }, ark.LETTERS[family]));

  // A worker in the middle of a square: a circle with the number of its seat, or a grey diamond.
  ark.worker = (seat, x, y, size = SIZE) => {
    const [middle, half] = [size / 2, size * 0.33];
    const neutral = seat === "neutral";
    return svg("g", { class: `worker ${neutral ? "neutral" : `own${seat}`}`, transform: `translate(${x} ${y})` },
      neutral ? svg("path", { d: `M${middle} ${middle - half * 1.15}l${half * 1.15} ${half * 1.15}`
        + `l${-half * 1.15} ${half * 1.15}l${-half * 1.15} ${-half * 1.15}Z` })
        : svg("circle", { cx: middle, cy: middle, r: half }),
      svg("text", { x: middle, y: middle + size * 0.14, "font-size": size * 0.4 }, neutral ? "n" : seat));
  };

  ark.icon = (name, tip, ...drawn) => svg("svg", { class: `ark-icon ${name}`, viewBox: "0 0 24 24", role: "img",
    "aria-label": tip }, svg("title", {}, tip), drawn);

  ark.sealIcon = (family) => ark.icon("seal-icon", `${family} seals`, ark.seal(family, 0, 0));

  const sides = (cells) => [0, 1].map((axis) => 1 + Math.max(...cells.map((cell) => cell[axis])));
  // The cells of a form, turned by a quarter if it is higher than wide.
  const lying = (cells) => {
    const [wide, high] = sides(cells);
    return high > wide ? cells.map(([x, y]) => [high - 1 - y, x]) : cells;
  };

  // A card: the form of its building and what it is. Without a card its back.
  ark.card = (card, forms, more = {}) => {
    if (!card) {
      return element("span", { class: "ark-card back", "data-back": true, ...more },
        svg("svg", { viewBox: "0 0 56 50", "aria-hidden": "true" },
          svg("path", { class: "hatching", "stroke-width": 2, d: "M8 42 48 8M8 25 28 8M28 42l20-17" })),
        element("span", { class: "caption" }, "not seen"));
    }
    const [type, family] = ark.split(card);
    const cells = lying(forms[type] || [[0, 0]]);
    const [wide, high] = sides(cells);
    const edge = Math.min(10, 28 / high);
    const place = (x, y) => [28 + (x - wide / 2) * edge, 35.5 + (y - high / 2) * edge];
    return element("span", { class: `ark-card ${family}`, "data-card": card, ...more },
      svg("svg", { viewBox: "0 0 56 50", "aria-hidden": "true" },
        ark.hatching(family, [[3, 0], [28, 0], [3, 25], [28, 25]], 25),
        ark.pictogram(type, 3, 2, 18), ark.seal(family, 35, 2, 18),
        svg("path", { class: "form",
          d: cells.map(([x, y]) => `M${place(x, y).join(" ")}h${edge}v${edge}h${-edge}z`).join("") })),
      element("span", { class: "caption" }, ark.typeName(type)));
  };

  // An action in words, for those who hear the page.
  const WORDS = { done: "no more workers", keep: "keep the banners: end the turn", pass: "pass",
    banner: "give up a banner: 2 workers, and seals can be exchanged", "draw@pile": "draw from the pile" };
  ark.words = (position, text) => {
    if (WORDS[text]) return WORDS[text];
    const [kind, rest] = text.split("@");
    if (kind === "workers") return `place workers beside ${ark.buildingName(position, rest)}`;
    if (kind === "own") return `an own worker on ${rest}`;
    if (kind === "neutral") return `a neutral worker on ${rest}`;
    if (kind === "draw") return `take the ${ark.cardName(rest)}`;
    if (text.includes("+")) return `build on ${text.split("+").join(", ")}`;
    if (text.includes("/")) {
      const [family, covered] = text.split("/");
      return `${ark.article(family)} block on a castle square that shows ${covered === "blank" ? "nothing" : covered}`;
    }
    if (text.includes("=")) {
      const [family, count] = text.split("=");
      return Number(count) ? `exchange ${count} ${family} seals for ${count * ark.worth(position, family)} gold`
        : `exchange no ${family} seals`;
    }
    return text.includes("-") ? `play the ${ark.cardName(text)}` : text;
  };
  ark.article = (family) => `${family === "olive" ? "an" : "a"} ${family}`;
  ark.buildingName = (position, first) => {
    const found = position.buildings.find(({ squares }) => squares[0] === first);
    return found ? `the ${found.family} ${ark.typeName(found.type)} at ${first}` : "the castle";
  };
}
