"use strict";
// How Arkadia looks, and its legend.
{
  const { element, svg } = qpolis;
  const ark = (qpolis.viewers.arkadia ||= {});

  const STYLE = `
.arkadia {
  --ark-red: light-dark(#b8433c, #c4554d); --on-red: #fff; --ark-olive: light-dark(#a3a850, #8f9640); --on-olive: #1a1a10;
  --ark-black: light-dark(#33343a, #050506); --on-black: #fff; --ark-silver: light-dark(#c9cdd6, #aeb4bf);
  --on-silver: #16181c; container-type: inline-size; font-size: .92rem; line-height: 1.3;
}
.arkadia .red { --fill: var(--ark-red); --on: var(--on-red); }
.arkadia .olive { --fill: var(--ark-olive); --on: var(--on-olive); }
.arkadia .black { --fill: var(--ark-black); --on: var(--on-black); }
.arkadia .silver { --fill: var(--ark-silver); --on: var(--on-silver); }
.arkadia .blank { --fill: light-dark(#fbfaf6, #5d626c); --on: var(--ink); }
.arkadia text { text-anchor: middle; font-weight: 700; fill: var(--ink); font-family: inherit; }
.arkadia p.ark-status { display: flex; flex-wrap: wrap; gap: .1rem .45rem; align-items: baseline; margin: 0 0 .4rem; }
.arkadia .ark-name { max-width: 15rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
.arkadia .left { color: var(--accent); }
.arkadia .ark-table { display: grid; grid-template-columns: minmax(0, 1fr) 16.3rem; gap: .7rem; align-items: start; }
.arkadia .ark-side { display: flex; flex-direction: column; gap: .7rem; }
.arkadia .ark-panel { background: var(--card); border: 1px solid var(--line); border-radius: .45rem; padding: .45rem .55rem; }
.arkadia .ark-panel h4 { margin: 0 0 .3rem; font-size: .88rem; display: flex; gap: .4rem; align-items: baseline; }
.arkadia .ark-cards + h4 { margin-top: .5rem; }
.arkadia .ark-panel table { font-size: .85rem; width: 100%; }
.arkadia .ark-panel th, .arkadia .ark-panel td { padding: .1rem .25rem; text-align: center; border: 0; }
.arkadia .ark-panel tbody th { text-align: left; font-weight: 400; white-space: nowrap; }
.arkadia .ark-panel tbody tr:hover { background: none; }
.arkadia .ark-panel thead th { font-size: .75rem; line-height: 1.1; vertical-align: bottom; }
.arkadia .ark-panel td { color: var(--grey); }
.arkadia .ark-panel td.worth { font-weight: 700; font-size: 1.05rem; color: var(--ink); }
.arkadia .ark-panel .now { background: var(--band); color: var(--ink); font-weight: 600; }
.arkadia svg.ark-icon { width: 1.25em; height: 1.25em; display: inline-block; vertical-align: -.28em; overflow: visible; }
.arkadia .ark-seats { display: grid; gap: .6rem; margin-top: .7rem; grid-template-columns: repeat(2, minmax(0, 1fr)); }
.arkadia .ark-seats.of3 { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.arkadia .seat-panel.turn { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.arkadia .ark-has { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; margin-bottom: .35rem; }
.arkadia .ark-stores { display: flex; gap: .7rem; font-variant-numeric: tabular-nums; }
.arkadia .ark-stores span { display: inline-flex; gap: .2rem; align-items: center; font-weight: 600; }
.arkadia .ark-stores .zero { opacity: .45; }
.arkadia .ark-cards { display: flex; flex-wrap: wrap; gap: .3rem; }
.arkadia .ark-card {
  position: relative; display: flex; flex-direction: column; width: 3.5rem; border-radius: .35rem; padding: .12rem 0;
  background: var(--fill, var(--band)); color: var(--on, var(--grey)); border: 1.5px solid var(--grey); text-align: center;
}
.arkadia .ark-cards .ark-card svg { width: 100%; height: auto; display: block; }
.arkadia .ark-card .caption { font-size: .62rem; line-height: 1.05; min-height: 2.1em; overflow-wrap: normal; font-weight: 500;
  display: flex; align-items: center; justify-content: center; }
.arkadia .ark-card.none { background: none; border-style: dashed; min-height: 4.1rem; }
.arkadia .ark-card.back { background: var(--band); color: var(--grey); }
.arkadia .ark-card.pile { justify-content: space-between; color: var(--ink); font-size: 1.2rem; box-shadow: 2px 2px 0 var(--grey); }
.arkadia .ark-card.pile b { margin: auto; }
.arkadia .ark-card.known::after {
  content: "*"; position: absolute; top: -.55rem; right: -.3rem; width: .95rem; height: .95rem; border-radius: 50%;
  background: var(--ink); color: var(--paper); font: 700 .95rem/1.3 system-ui, sans-serif;
}
.arkadia .to-come { outline: 3px dashed var(--accent); outline-offset: 1px; }
.arkadia .was { outline: 2px solid var(--accent); outline-offset: 1px; }
.arkadia .ground rect { fill: light-dark(#f4f1e8, #23262b); stroke: var(--grey); }
.arkadia .ground path { stroke: light-dark(#dcd7c8, #363a42); fill: none; }
.arkadia .ground text { font-size: 13px; font-weight: 400; fill: var(--grey); }
.arkadia .camp path { fill: none; stroke: light-dark(#8a7f60, #9a947f); stroke-width: 2; stroke-linejoin: round; }
.arkadia .camp .flap { fill: light-dark(#8a7f60, #9a947f); stroke: none; }
.arkadia .hatching { stroke: var(--on); fill: none; opacity: .3; stroke-linecap: round; }
.arkadia .body { fill: var(--fill); }
.arkadia .edge { fill: none; stroke: light-dark(#1a1a1a, #d8dadf); stroke-width: 2; stroke-linejoin: round; }
.arkadia .pictogram { fill: var(--on, var(--ink)); }
.arkadia .ark-card .hatching { opacity: .18; }
.arkadia .form { fill: var(--on); stroke: var(--fill); stroke-width: 1.5; }
.arkadia .seal .shield { fill: var(--fill); stroke: var(--on); stroke-width: 2; }
.arkadia .seal text { fill: var(--on); }
.arkadia .seal-icon .shield { stroke: var(--ink); stroke-width: 1.5; }
.arkadia .building .shield { fill: var(--on); }
.arkadia .building .seal text { fill: var(--fill); }
.arkadia .building.complete .body { opacity: .42; }
.arkadia .building.complete .hatching { opacity: .18; }
.arkadia .building.complete .pictogram { fill: var(--ink); opacity: .65; }
.arkadia .building.complete .edge { stroke-width: 1.2; }
.arkadia .building .ready { fill: var(--ink); }
.arkadia .walls { fill: light-dark(#8d8676, #4c5059); stroke: light-dark(#1a1a1a, #d8dadf); stroke-width: 2; }
.arkadia .keep { fill: light-dark(#f4f1e8, #d8dadf); }
.arkadia .block rect { fill: var(--fill); stroke: light-dark(#1a1a1a, #d8dadf); stroke-width: 1; }
.arkadia .block text, .arkadia .block .point { fill: var(--on); }
.arkadia .worker circle, .arkadia .worker path { stroke: light-dark(#1a1a1a, #f0f0f0); stroke-width: 2; }
.arkadia .worker text { fill: #111; }
.arkadia .own0 circle { fill: var(--seat0); }
.arkadia .own0 text, .arkadia .own2 text { fill: light-dark(#fff, #111); }
.arkadia .own1 circle { fill: var(--seat1); }
.arkadia .own2 circle { fill: var(--seat2); }
.arkadia .own3 circle { fill: var(--seat3); }
.arkadia .neutral path { fill: light-dark(#e2e2e2, #8b9099); }
.arkadia .coin { fill: light-dark(#f2cf4a, #d9b537); stroke: light-dark(#7a5c00, #f5e3a0); stroke-width: 2; }
.arkadia .gold text { fill: #3a2c00; }
.arkadia .banner { fill: var(--ink); }
.arkadia .mark { fill: none; stroke: var(--accent); stroke-width: 4; pointer-events: none; }
.arkadia .mark.move { stroke-dasharray: 7 4; }
.arkadia .mark.last { stroke-width: 3; }
.arkadia .mark.chosen { stroke-width: 2.5; }
.arkadia .ghost { opacity: .75; pointer-events: none; }
.arkadia .ghost.hinted { opacity: .45; }
.arkadia .hint { fill: none; stroke: var(--link); stroke-width: 2.5; stroke-dasharray: 2 4; pointer-events: none; }
.arkadia .badge { pointer-events: none; }
.arkadia .badge circle { fill: var(--link); stroke: var(--paper); }
.arkadia .badge text { fill: var(--paper); }
.arkadia .ark-badge {
  position: absolute; top: -.45rem; left: -.4rem; width: 1.15rem; border-radius: 50%; background: var(--link);
  color: var(--paper); font: 700 .75rem/1.15rem system-ui, sans-serif; text-align: center;
}
.arkadia button .ark-badge { position: static; display: inline-block; margin-left: .3rem; }
.arkadia .choice { cursor: pointer; }
.arkadia .ark-card.choice { box-shadow: 0 0 0 3px var(--good); }
.arkadia .ark-card.choice:hover { transform: translateY(-2px); }
.arkadia .choices .area, .arkadia .choices .square {
  fill: var(--good); fill-opacity: .1; stroke: var(--good); stroke-width: 3; stroke-dasharray: 1 4.5; stroke-linecap: round;
}
.arkadia .choices .area:hover, .arkadia .choices .square:hover { fill-opacity: .35; }
.arkadia .choices .square.block { stroke: light-dark(#00d49a, #35f0b6); stroke-width: 4; stroke-dasharray: none; }
.arkadia .choices .square.chosen { stroke: var(--accent); stroke-dasharray: none; }
.arkadia .choices :focus-visible { outline: none; stroke: var(--accent); stroke-dasharray: none; stroke-width: 4; }
.arkadia .ark-bar { display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; margin: .2rem 0 .5rem; min-height: 2.2rem; }
.arkadia .ark-bar:empty { display: none; }
.arkadia .ark-bar .pressed { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600; }
.arkadia .ark-bar .count { font-variant-numeric: tabular-nums; }
@container (max-width: 42rem) {
  .arkadia .ark-table { grid-template-columns: minmax(0, 1fr); }
  .arkadia .ark-side { flex-flow: row wrap; }
  .arkadia .ark-side .ark-panel { flex: 1 1 13.5rem; }
  .arkadia .ark-seats, .arkadia .ark-seats.of3 { grid-template-columns: minmax(0, 1fr); }
  .arkadia .ground text { font-size: 16px; }
  .arkadia .ark-all { display: flex; flex-direction: column; gap: .6rem; }
  .arkadia .ark-status, .arkadia .ark-bar { margin: 0; }
  .arkadia .ark-seats { margin: 0; }
  .arkadia .asking .ark-table, .arkadia .asking .ark-seats { display: contents; }
  .arkadia .asking .ark-board { order: 1; }
  .arkadia .asking .seat-panel.turn { order: 2; }
  .arkadia .asking .ark-side { order: 3; }
  .arkadia .asking .seat-panel { order: 4; }
}
.arkadia-legend .ark-signs { display: grid; grid-template-columns: auto 1fr; gap: .35rem .8rem; align-items: center; margin: .5rem 0; }
.arkadia-legend svg.sample { width: auto; height: 2rem; }
`;

  // Once a page.
  ark.style = () => {
    if (!document.getElementById("arkadia-style")) document.head.append(element("style", { id: "arkadia-style" }, STYLE));
  };

  const sample = (wide, ...drawn) => svg("svg", { class: "sample", viewBox: `0 0 ${wide} 44`, width: wide, height: 44,
    "aria-hidden": "true" }, drawn);

  const SAMPLES = () => [
    [sample(190, ark.FAMILIES.map((family, i) => svg("g", { class: family },
      svg("rect", { class: "body", x: 2 + 47 * i, y: 2, width: 40, height: 40 }), ark.hatching(family, [[2 + 47 * i, 2]]),
      ark.seal(family, 10 + 47 * i, 10)))),
    "the families: red (R, stripes), olive (O, dots), black (B, plain), silver (S, lines)"],
    [sample(190, ["house", "farm", "tavern", "mill"].map((type, i) => ark.pictogram(type, 8 + 47 * i, 10))),
      "house, farm, tavern, mill"],
    [sample(190, ["smithy", "trade-centre", "monastery"].map((type, i) => ark.pictogram(type, 8 + 47 * i, 10))),
      "smithy, trade centre, monastery"],
    [sample(94, svg("g", { class: "building red" }, svg("rect", { class: "body", x: 2, y: 2, width: 80, height: 40 }),
      ark.pictogram("house", 10, 10), ark.seal("red", 50, 9, 26))),
    "a building with its seal: free squares are left beside it"],
    [sample(94, svg("g", { class: "building red complete" }, svg("rect", { class: "body", x: 2, y: 2, width: 80, height: 40 }),
      ark.pictogram("house", 10, 10), svg("text", { class: "ready", x: 62, y: 29, "font-size": 19 }, "R✓"))),
    "a complete building, pale: its seal is taken"],
    [sample(94, ark.worker(0, 2, 2), ark.worker("neutral", 46, 2)), "an own worker with the number of its seat, a neutral worker"],
    [sample(94, svg("g", { class: "camp" }, svg("path", { d: "M10 33L22 12L34 33Z" }),
      svg("path", { class: "flap", d: "M18 33L22 22L26 33Z" }))), "a camp: who builds on it gets a neutral worker"],
    [sample(94, svg("g", { class: "block olive" }, svg("rect", { x: 3, y: 3, width: 37, height: 37, rx: 3 }),
      svg("text", { x: 22, y: 27, "font-size": 21 }, "O"), svg("circle", { class: "point", cx: 17, cy: 35, r: 3 }),
      svg("circle", { class: "point", cx: 26, cy: 35, r: 3 }))),
    "a castle square: what it shows, with a point for each block on it"],
    [sample(94, svg("rect", { class: "mark move", x: 4, y: 4, width: 36, height: 36 }),
      svg("rect", { class: "mark last", x: 52, y: 4, width: 36, height: 36 })), "the move that comes next, and the last one"],
  ];

  ark.legend = () => {
    ark.style();
    return element("div", { class: "arkadia arkadia-legend" },
      element("p", {}, "Players build a town around a castle. In a turn one lays the building of a card beside what is there, or "
        + "places workers beside one building. A building is complete when no square beside it is free: then everybody "
        + "gets a seal of its family for each own worker beside it, and the player at turn one more and a block "
        + "for the castle. A seal is worth as much gold as there are castle squares that show its family."),
      element("p", {}, "At the end of a turn one may give up a banner: that brings two workers, and seals can be exchanged for "
        + "gold at what they are worth today. When the second level of the castle is full, everybody has one more turn; then "
        + "all seals are exchanged, and most gold wins."),
      element("div", { class: "ark-signs" }, SAMPLES().map(([drawn, said]) => [drawn, element("span", {}, said)])),
      element("p", {}, "A card with * was taken openly: everybody knows it. In a panel: gold, own workers and neutral workers to "
        + "place, banners, seals by family, cards. Green dots mark what can be chosen; numbers 1 to 3 what a search likes best."));
  };
}
