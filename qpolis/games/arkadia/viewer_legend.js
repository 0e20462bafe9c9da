"use strict";
// The legend of Arkadia.
{
  const { element, svg } = qpolis;
  qpolis.viewers.arkadia ||= {};
  const ark = qpolis.viewers.arkadia;

  const sample = (wide, ...drawn) => svg("svg", { class: "sample", viewBox: `0 0 ${wide} 44`, width: wide, height: 44,
    "aria-hidden": "true" }, drawn);

  const box = (x, wide = 40) => svg("rect", { class: "body", x, y: 2, width: wide, height: 40 });
  const family = (name, i) => svg("g", { class: name }, box(2 + 47 * i), ark.hatching(name, [[2 + 47 * i, 2]]),
    ark.seal(name, 10 + 47 * i, 10));

  const SAMPLES = () => [
    [sample(190, ark.FAMILIES.map(family)),
    "the families: red (R, stripes), olive (O, dots), black (B, plain), silver (S, lines)"],
    [sample(190, ["house", "farm", "tavern", "mill"].map((type, i) => ark.pictogram(type, 8 + 47 * i, 10))),
      "house, farm, tavern, mill"],
    [sample(190, ["smithy", "trade-centre", "monastery"].map((type, i) => ark.pictogram(type, 8 + 47 * i, 10))),
      "smithy, trade centre, monastery"],
    [sample(94, svg("g", { class: "building red" }, box(2, 80), ark.hatching("red", [[2, 2], [42, 2]]),
      ark.pictogram("house", 10, 10), ark.seal("red", 50, 9, 26))),
    "a building with its seal: free squares are left beside it"],
    [sample(94, svg("g", { class: "building red complete" }, box(2, 80), ark.hatching("red", [[2, 2], [42, 2]]),
      ark.pictogram("house", 10, 10), svg("text", { class: "ready", x: 62, y: 29, "font-size": 19 }, "R✓"))),
    "a complete building, pale: its seal is taken"],
    [sample(94, ark.worker(0, 2, 2), ark.worker("neutral", 46, 2)),
      "an own worker with the number of its seat, a neutral worker"],
    [sample(94, svg("g", { class: "camp" }, svg("path", { d: "M10 33L22 12L34 33Z" }),
      svg("path", { class: "flap", d: "M18 33L22 22L26 33Z" }))), "a camp: who builds on it gets a neutral worker"],
    [sample(94, svg("g", { class: "block olive" }, svg("rect", { x: 3, y: 3, width: 37, height: 37, rx: 3 }),
      svg("text", { x: 22, y: 27, "font-size": 21 }, "O"), svg("circle", { class: "point", cx: 17, cy: 35, r: 3 }),
      svg("circle", { class: "point", cx: 26, cy: 35, r: 3 }))),
    "a castle square: what it shows, with a point for each block on it"],
    [sample(94, svg("rect", { class: "mark move", x: 4, y: 4, width: 36, height: 36 }),
      svg("rect", { class: "mark last", x: 52, y: 4, width: 36, height: 36 })),
    "the move that comes next, and the last one"],
  ];

  ark.legend = () => {
    ark.style();
    return element("div", { class: "arkadia arkadia-legend" },
      element("p", {}, "Players build a town around a castle. In a turn one lays the building of a card beside what is "
        + "there, or places workers beside one building. A building is complete when no square beside it is free: then "
        + "everybody gets a seal of its family for each own worker beside it, and the player at turn one more and a "
        + "block for the castle. A seal is worth as much gold as there are castle squares that show its family."),
      element("p", {}, "At the end of a turn one may give up a banner: that brings two workers, and seals can be "
        + "exchanged for gold at what they are worth today. When the second level of the castle is full, everybody has "
        + "one more turn; then all seals are exchanged, and most gold wins."),
      element("div", { class: "ark-signs" }, SAMPLES().map(([drawn, said]) => [drawn, element("span", {}, said)])),
      element("p", {}, "A card with * was taken openly: everybody knows it. In a panel: gold, own workers and neutral "
        + "workers to place, banners, seals by family, cards. Green marks what can be chosen; numbers 1 to 3 are what "
        + "a search likes best."));
  };
}
