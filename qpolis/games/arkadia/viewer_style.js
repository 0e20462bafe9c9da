"use strict";
// How Arkadia looks.
{
  qpolis.viewers.arkadia ||= {};
  const ark = qpolis.viewers.arkadia;

  const STYLE = `
.arkadia {
  --ark-red: light-dark(#b8433c, #c4554d); --on-red: #fff;
  --ark-olive: light-dark(#a3a850, #8f9640); --on-olive: #1a1a10;
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
.arkadia .ark-name {
  max-width: 15rem; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600;
}
.arkadia .before { flex-basis: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.arkadia .left { color: var(--accent); }
.arkadia .ark-table { display: grid; grid-template-columns: minmax(0, 1fr) 16.3rem; gap: .7rem; align-items: start; }
.arkadia .ark-side { display: flex; flex-direction: column; gap: .7rem; }
.arkadia .ark-panel {
  background: var(--card); border: 1px solid var(--line); border-radius: .45rem; padding: .45rem .55rem; min-width: 0;
}
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
.arkadia svg.ark-icon {
  width: 1.25em; height: 1.25em; display: inline-block; vertical-align: -.28em; overflow: visible;
}
.arkadia .ark-seats { display: grid; gap: .6rem; margin-top: .7rem; grid-template-columns: repeat(2, minmax(0, 1fr)); }
.arkadia .ark-seats.of3 { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.arkadia .seat-panel.turn { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.arkadia .ark-has { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; margin-bottom: .35rem; }
.arkadia .ark-stores { display: flex; gap: .7rem; font-variant-numeric: tabular-nums; }
.arkadia .ark-stores span { display: inline-flex; gap: .2rem; align-items: center; font-weight: 600; }
.arkadia .ark-stores .zero { color: var(--grey); }
.arkadia .ark-stores .zero svg { opacity: .45; }
.arkadia .ark-cards { display: flex; flex-wrap: wrap; gap: .3rem; }
.arkadia .ark-card {
  position: relative; display: flex; flex-direction: column; width: 3.5rem; border-radius: .35rem; padding: .12rem 0;
  background: var(--fill, var(--band)); color: var(--on, var(--grey)); border: 1.5px solid var(--grey);
  text-align: center;
}
.arkadia .ark-cards .ark-card svg { width: 100%; height: auto; display: block; }
.arkadia .ark-card .caption {
  display: flex; align-items: center; justify-content: center; min-height: 2.1em; overflow-wrap: normal;
  font-size: .62rem; font-weight: 500; line-height: 1.05; letter-spacing: -.02em;
}
.arkadia .ark-card.none { background: none; border-style: dashed; min-height: 4.1rem; }
.arkadia .ark-card.back { background: var(--band); color: var(--grey); }
.arkadia .ark-card.pile { justify-content: space-between; color: var(--ink); font-size: 1.2rem; }
.arkadia .ark-card.pile.back { box-shadow: 2px 2px 0 var(--grey); }
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
.arkadia .own0 text { fill: light-dark(#fff, #111); }
.arkadia .own1 circle { fill: var(--seat1); }
.arkadia .own2 circle { fill: var(--seat2); }
.arkadia .own3 circle { fill: var(--seat3); }
.arkadia .neutral path { fill: light-dark(#e2e2e2, #8b9099); }
.arkadia .coin { fill: light-dark(#f2cf4a, #d9b537); stroke: light-dark(#7a5c00, #f5e3a0); stroke-width: 2; }
.arkadia .gold text { fill: #3a2c00; }
.arkadia .banner { fill: var(--ink); }
.arkadia .mark { fill: none; stroke: var(--accent); stroke-width: 4; pointer-events: none; }
.arkadia .halo { fill: none; stroke: var(--paper); stroke-width: 8; pointer-events: none; }
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
.arkadia .ark-cards .ark-card.choice { box-shadow: 0 0 0 3px var(--good); }
.arkadia .ark-card.choice:hover { transform: translateY(-2px); }
.arkadia .choices .area, .arkadia .choices .square {
  fill: var(--good); fill-opacity: .1; stroke: var(--good); stroke-width: 3; stroke-dasharray: 1 4.5;
  stroke-linecap: round;
}
.arkadia .choices .area:hover, .arkadia .choices .square:hover { fill-opacity: .35; }
.arkadia .choices .area, .arkadia .choices .square.block {
  stroke: light-dark(#00cc94, #35f0b6); stroke-width: 4; stroke-dasharray: none;
}
.arkadia .choices .square.chosen { stroke: var(--accent); stroke-dasharray: none; }
.arkadia .choices .squares .choice:focus-visible {
  outline: none; stroke: var(--accent); stroke-dasharray: none; stroke-width: 4;
}
.arkadia .ark-bar {
  display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; margin: .2rem 0 .5rem; min-height: 2.2rem;
}
.arkadia .ark-bar:empty { display: none; }
.arkadia .ark-bar [aria-pressed="true"] {
  border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600;
}
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
.arkadia-legend .ark-signs {
  display: grid; grid-template-columns: auto 1fr; gap: .35rem .8rem; align-items: center; margin: .5rem 0;
}
.arkadia-legend svg.sample { width: auto; height: 2rem; }
`;

  // Once a page.
  ark.style = () => {
    if (document.getElementById("arkadia-style")) return;
    document.head.append(qpolis.element("style", { id: "arkadia-style" }, STYLE));
  };
}
