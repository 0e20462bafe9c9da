"use strict";
// Quadrilatère in the browser: the board with its grooves, and beside it what the players have left. A house is drawn
// as it is written, from crossing to crossing; all else on the board follows from the position.
{
  const { element, svg } = qpolis;
  const { SIDE, UNIT, EDGE, LETTERS, SIZES, NOTHING, nameOf, point, readHouse, readAction, sizeOf, words, slotsOf,
    regionsOf, heart, seatColour, bar, wall, outline, ghost, arrow, monument, squareAt, patterns, filled, border,
    count, onPlace } = qpolis.quadrilatere;
  const BEGIN = { small: 12, medium: 8, large: 4 }; // what a player begins with
  const MONUMENTS = 6;
  const STAGES = ["place", "slide", "claim"];
  const STYLE = `
    .ql { container-type: inline-size; }
    .ql-grid { display: grid; gap: .6rem; }
    .ql-main { min-width: 0; max-width: 42rem; }
    .ql-players { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; align-content: start; min-width: 0; }
    .ql-player { background: var(--card); border: 2px solid transparent; border-radius: .45rem; padding: .4rem .55rem;
      min-width: 0; }
    .ql-name { display: flex; gap: .4rem; align-items: baseline; font-weight: 600; }
    .ql-name span:last-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
    .ql-squares { font-size: .88rem; white-space: nowrap; }
    .ql-steps { display: flex; flex-wrap: wrap; gap: .3rem; align-items: center; min-height: 2.1rem;
      font-size: .9rem; }
    .ql-steps [data-stage] { padding: .05rem .5rem; border-radius: 1rem; border: 1px solid var(--line);
      color: var(--grey); }
    .ql-steps [data-stage].done { color: var(--ink); }
    .ql-steps [data-stage].now { border: 2px solid var(--seat); color: var(--ink); font-weight: 700; }
    .ql-steps button { display: inline-flex; gap: .35rem; align-items: center; }
    .board .ql-steps button svg, .ql-steps button svg { width: auto; height: .9rem; }
    .ql-steps button[aria-pressed="true"] { border-color: var(--seat); box-shadow: inset 0 0 0 1px var(--seat);
      font-weight: 700; }
    .ql text { font-family: inherit; fill: var(--ink); }
    .ql .hit { fill: transparent; cursor: pointer; }
    .ql .hit:focus { outline: none; }
    .ql .shown { opacity: 0; pointer-events: none; }
    .ql g:hover > .shown, .ql .hit:focus-visible ~ .shown { opacity: 1; }
    .ql-legend { list-style: none; padding: 0; display: grid; gap: .35rem; max-width: 60rem; }
    .ql-legend li { display: grid; grid-template-columns: 5.5rem 1fr; gap: .6rem; align-items: center; }
    .ql-legend svg { width: 5.5rem; height: auto; }
    @container (min-width: 38rem) {
      .ql-grid { grid-template-columns: minmax(0, 1fr) 14rem; }
      .ql-players { grid-template-columns: 1fr; }
    }`;

  let drawings = 0; // patterns have names, and every drawing its own
  let chosenSize = null; // of the house to place; stays from turn to turn

  // -- the board -----------------------------------------------------------------------------------------------

  const ground = () => {
    const whole = SIDE * UNIT;
    const marks = Array.from({ length: SIDE + 1 }, (_, place) => [
      svg("text", { x: place * UNIT, y: -17, "text-anchor": "middle", "font-size": 17 }, LETTERS[place]),
      svg("text", { x: -23, y: place * UNIT + 6, "text-anchor": "middle", "font-size": 17 }, place + 1)]);
    const squares = Array.from({ length: SIDE * SIDE }, (_, place) => svg("rect", { x: (place % SIDE) * UNIT + 6,
      y: Math.floor(place / SIDE) * UNIT + 6, width: UNIT - 12, height: UNIT - 12, rx: 3, fill: "var(--paper)" }));
    return svg("g", { "pointer-events": "none" },
      svg("rect", { x: -9, y: -9, width: whole + 18, height: whole + 18, rx: 4, fill: "var(--band)",
        stroke: "var(--line)" }), squares, marks);
  };

  // The crossings: posts where houses end, dots elsewhere.
  const crossings = (position) => {
    const ends = new Set(position.houses.flatMap((text) => text.split("-")));
    const covered = new Set(position.houses.map(readHouse).flatMap((one) => slotsOf(one).slice(1)
      .map((slot) => slot.split(" ")).map(([, x, y]) => nameOf(x, Number(y)))));
    const dots = Array.from({ length: (SIDE + 1) ** 2 }, (_, place) => {
      const [x, y] = [place % (SIDE + 1), Math.floor(place / (SIDE + 1))];
      const name = nameOf(x, y);
      return covered.has(name) ? null : svg("circle", { cx: x * UNIT, cy: y * UNIT, r: ends.has(name) ? 4.5 : 2.2,
        fill: "var(--grey)" });
    });
    return svg("g", { "pointer-events": "none" }, dots);
  };

  // The places: occupied ones, those closed this turn, and closed ones that nobody owns.
  const places = (position, id) => {
    const owned = new Set(position.places.flatMap((place) => place.squares));
    const free = regionsOf(position).filter(({ closed, squares }) => closed && !owned.has(squares[0]));
    const fresh = free.filter(({ squares }) => position.closed.includes(squares[0])).map(({ squares }) => squares);
    return { fresh, below: [
      position.places.map(({ owner, squares }) => filled(squares, id, owner, { "data-owner": owner })),
      free.map(({ squares }) => filled(squares, id, "none", { "data-free": true })),
    ], above: [position.places.map(({ owner, squares }) => onPlace(squares, owner)),
      fresh.map((squares) => svg("g", { "data-closed": squares[0] },
        border(squares, position.player), count(squares)))] };
  };

  // What happened: what this turn has brought, or if it only begins, the turn before.
  const happened = (position, scene) => {
    const seat = position.placed ? position.player : 1 - (position.turn % 2);
    const before = {};
    if (!position.placed) {
      for (const { text } of scene.recent || (scene.last ? [scene.last] : [])) {
        const act = readAction(text);
        if (act.kind === "place" || act.kind === "pass") for (const kind of STAGES) delete before[kind];
        before[act.kind] = act;
      }
    }
    const { place: house, slide, claim } = before;
    const placed = position.placed ? readHouse(position.placed) : house?.to;
    const slid = position.slid ? position.slid.map(readHouse) : slide && [slide.from, slide.to];
    const place = claim && position.places.find(({ squares }) => squares.includes(claim.square));
    return [
      placed ? outline(placed, seat, { "data-placed": placed.text }) : null,
      slid ? [ghost(slid[0], seat, { "data-slid": slid[0].text, "fill-opacity": 0, "stroke-width": 2 }),
        outline(slid[1], seat), arrow(slid[0], slid[1], seat)] : null,
      place ? border(place.squares, seat, { "stroke-dasharray": null }) : null];
  };

  // What is about to happen, or what a search thinks of it.
  const intended = (act, seat, fresh) => {
    if (act.kind === "place") return ghost(act.to, seat);
    if (act.kind === "slide") return [outline(act.from, seat, { "stroke-dasharray": "2 3" }), ghost(act.to, seat),
      arrow(act.from, act.to, seat)];
    const squares = act.kind === "claim" && fresh.find((place) => place.includes(act.square));
    return squares ? onPlace(squares, seat, { fill: "var(--paper)", stroke: seatColour(seat), "stroke-dasharray": "4 3",
      "stroke-width": 3 }) : null;
  };

  const badge = (rank, x, y) => svg("g", { transform: `translate(${x} ${y})`, "pointer-events": "none",
    "data-hint": rank }, svg("rect", { x: -10, y: -10, width: 20, height: 20, rx: 4, fill: "var(--accent)",
      stroke: "var(--paper)", "stroke-width": 2 }),
    svg("text", { y: 5, "text-anchor": "middle", "font-size": 14, "font-weight": 700,
      style: "fill:light-dark(#fff,#111)" }, rank));

  const hints = (scene, fresh) => qpolis.best(scene).map(({ text }, place) => {
    const act = readAction(text);
    const squares = act.kind === "claim" && fresh.find((one) => one.includes(act.square));
    const corner = squares && point(heart(squares));
    if (squares) return badge(place + 1, (corner.x + 1) * UNIT - 14, corner.y * UNIT + 14);
    if (!act.to) return null;
    const [x, y] = [act.to.middle.x * UNIT, act.to.middle.y * UNIT];
    return svg("g", { "pointer-events": "none" },
      bar(act.to, { fill: "none", stroke: "var(--accent)", "stroke-width": 2 }, 4),
      act.kind === "slide" ? svg("line", { x1: act.from.middle.x * UNIT, y1: act.from.middle.y * UNIT, x2: x, y2: y,
        stroke: "var(--accent)", "stroke-width": 2 }) : null,
      badge(place + 1, x + (act.to.stands ? (act.to.to.x < SIDE ? 14 : -14) : 0), y - (act.to.stands ? 0 : 14)));
  });

  // -- to choose -------------------------------------------------------------------------------------------------

  // What makes an element a button, on the board.
  const button = (label, act, attributes) => qpolis.pressable(label, act, { class: "hit", ...attributes });

  // Where to point at for a house: around its middle. A lying and a standing one with the same middle share the room.
  const spot = (one, attributes) => {
    const [x, y, half] = [one.middle.x * UNIT, one.middle.y * UNIT, UNIT / 2];
    if (one.length % 2) {
      return [svg("polygon", { ...attributes,
        points: `${x - half},${y} ${x},${y - half} ${x + half},${y} ${x},${y + half}` })];
    }
    const far = one.stands ? [[-half, half], [half, half]] : [[half, -half], [half, half]];
    const corners = (sign) => far.map(([right, down]) => `${x + sign * right},${y + sign * down}`);
    const triangle = (sign, more) => svg("polygon", { points: [`${x},${y}`, ...corners(sign)].join(" "), ...more });
    const { class: kind, onclick } = attributes;
    return [triangle(1, attributes), triangle(-1, { class: kind, onclick })];
  };

  // A dash where to point at; two if the middle of the house is a crossing.
  const handle = (one, seat) => {
    const [x, y] = [one.middle.x * UNIT, one.middle.y * UNIT];
    const parts = one.length % 2 ? [[-9, 9]] : [[-18, -8], [8, 18]];
    const dash = ([from, to]) => (one.stands ? `M${x} ${y + from}V${y + to}` : `M${x + from} ${y}H${x + to}`);
    return svg("path", { d: parts.map(dash).join(""), stroke: seatColour(seat), "stroke-width": 4.5,
      "stroke-linecap": "round", "pointer-events": "none" });
  };

  const target = (one, position, choice, scene) => svg("g", {}, handle(one, position.player),
    spot(one, button(words(choice.act), () => scene.choose(choice.action), { "data-action": choice.action })),
    ghost(one, position.player, { class: "shown" }));

  const claimTarget = (squares, position, choice, scene) => {
    const act = () => scene.choose(choice.action);
    return svg("g", {}, squares.filter((text) => text !== heart(squares)).map((text) => squareAt(text, { class: "hit",
      onclick: act })),
    squareAt(heart(squares), button(words(choice.act, squares.length), act, { "data-action": choice.action })),
    svg("g", { class: "shown" },
      border(squares, position.player, { "stroke-dasharray": null, "stroke-width": 8 }),
      onPlace(squares, position.player)));
  };

  const houseStep = (one, position, act) => svg("g", {}, outline(one, position.player, { "stroke-dasharray": "2 3" }),
    bar(one, button(`slide the ${sizeOf(one)} house ${one.text}`, act, { "data-step": one.text }), 9),
    outline(one, position.player, { class: "shown" }));

  // What can be chosen on the board, as far as it has been narrowed down.
  const targets = (position, scene, choices, step) => {
    const on = (kind) => choices.filter(({ act }) => act.kind === kind);
    const regions = position.stage === "claim" ? regionsOf(position).map(({ squares }) => squares) : [];
    const around = (square) => regions.find((squares) => squares.includes(square));
    const sized = on("place").filter(({ act }) => sizeOf(act.to) === step.size);
    const from = on("slide").filter(({ act }) => act.from.text === step.house);
    const movable = [...new Set(on("slide").map(({ act }) => act.from.text))];
    return [
      sized.map((one) => target(one.act.to, position, one, scene)),
      from.length ? [outline(readHouse(step.house), position.player, { "stroke-dasharray": "2 3" }),
        from.map((one) => target(one.act.to, position, one, scene))]
        : movable.map((text) => houseStep(readHouse(text), position, () => step.go({ house: text }))),
      on("claim").map((one) => claimTarget(around(one.act.square), position, one, scene))];
  };

  // -- beside the board ------------------------------------------------------------------------------------------

  // Houses of a size in a row: those left, and faint ones that are gone.
  const row = (left, all, length, y) => Array.from({ length: all }, (_, place) => svg("rect", {
    x: 24 + place * (10 * length + 4), y: y - 3 - length, width: 10 * length, height: 6 + 2 * length, rx: 2,
    ...(place < left ? { fill: "var(--ink)" } : { fill: "none", stroke: "var(--line)" }) }));

  const supply = (position, seat) => {
    const lines = SIZES.toReversed().map((size, place) => [size, position.supply[seat][size], 11 + 21 * place]);
    const left = position.monuments[seat];
    const label = (many, y) => svg("text", { x: 18, y: y + 5, "text-anchor": "end", "font-size": 14,
      "font-weight": 600 }, many);
    const said = [...lines.map(([size, many]) => `${many} ${size} houses`), `${left} monuments`].join(", ");
    return svg("svg", { viewBox: "0 0 214 92", role: "img", "aria-label": `left: ${said}` },
      svg("title", {}, `left: ${said}`),
      lines.map(([size, many, y]) => [label(many, y), row(many, BEGIN[size], SIZES.indexOf(size) + 1, y)]),
      label(left, 77), Array.from({ length: MONUMENTS }, (_, place) => svg("g", {
        transform: `translate(${32 + 24 * place} 77) scale(.62)` }, place < left ? monument(seat, 0, 0)
        : svg("path", { d: "M-8-8L8 8M8-8L-8 8", stroke: "var(--line)", "stroke-width": 3 }))));
  };

  const squaresOf = (position, seat) => position.places.filter(({ owner }) => owner === seat)
    .reduce((sum, { squares }) => sum + squares.length, 0);

  const player = (position, scene, seat) => {
    const squares = squaresOf(position, seat);
    return element("div", { class: "ql-player", "data-seat": seat, "data-squares": squares,
      style: position.player === seat ? `border-color:${seatColour(seat)}` : null },
    element("div", { class: "ql-name" }, qpolis.seat(seat),
      element("span", { title: scene.bots[seat] }, scene.bots[seat])),
    element("div", { class: "ql-squares" }, element("strong", {}, squares), squares === 1 ? " square" : " squares",
      position.player === seat ? " ◂ to move" : ""),
    supply(position, seat));
  };

  // The turn and its steps: those done, and the one to decide.
  const progress = (position, scene) => {
    if (position.player === null) {
      const points = [0, 1].map((seat) => squaresOf(position, seat));
      const won = points[0] === points[1] ? null : Number(points[1] > points[0]);
      return [element("strong", {}, `the end: ${points.join(" to ")} squares`),
        won === null ? "a draw" : [qpolis.seat(won), " owns more"]];
    }
    const order = STAGES.filter((stage) => stage !== "slide" || position.slide);
    const now = order.indexOf(position.stage);
    const done = { place: position.placed, slide: position.slid ? position.slid[1] : "stay" };
    const nothing = scene.move && NOTHING.includes(scene.move.text) ? `: ${scene.move.text}` : "";
    const chips = order.map((stage, place) => {
      if (place < now) return element("span", { "data-stage": stage, class: "done", title: stage }, `✓ ${done[stage]}`);
      return element("span", { "data-stage": stage, class: place === now ? "now" : null }, stage,
        place === now ? nothing : "");
    });
    return [element("span", {}, `turn ${position.turn + 1}`), qpolis.seat(position.player), chips];
  };

  const icon = (size) => {
    const length = SIZES.indexOf(size) + 1;
    return svg("svg", { viewBox: `0 0 ${14 * length} 14`, "aria-hidden": "true" }, svg("rect", { x: 1, y: 5 - length,
      width: 14 * length - 2, height: 4 + 2 * length, rx: 2, fill: "var(--ink)" }));
  };

  // The buttons above the board: the size of the house to place, another house to slide, and to do nothing.
  const buttons = (position, scene, choices, step) => {
    const rank = (text) => qpolis.best(scene).findIndex((hint) => hint.text === text) + 1;
    const nothing = choices.find(({ act }) => NOTHING.includes(act.kind));
    const sizes = SIZES.filter((size) => choices.some(({ act }) => act.kind === "place" && sizeOf(act.to) === size));
    const said = { place: nothing ? "No house fits:" : step.size ? "Place:" : "Size:",
      slide: step.house ? `Slide ${step.house} to a dash:` : "Slide a house: choose it, or",
      claim: "Claim a place: choose it, or" }[position.stage];
    return [element("span", {}, said),
      sizes.map((size) => element("button", { type: "button", "data-step": size, onclick: () => step.go({ size }),
        "aria-pressed": String(step.size === size) },
      icon(size), size)),
      step.house ? element("button", { type: "button", "data-step": "other", onclick: () => step.go({ house: null }) },
        "another house") : null,
      nothing ? element("button", { type: "button", "data-action": nothing.action, "aria-label": words(nothing.act),
        onclick: () => scene.choose(nothing.action) }, nothing.text,
      rank(nothing.text) ? element("b", { "data-hint": rank(nothing.text), style: "color:var(--accent)" },
        `#${rank(nothing.text)}`) : null) : null];
  };

  // -- the whole -------------------------------------------------------------------------------------------------

  const board = (position, scene, choices, step) => {
    drawings += 1;
    const id = `ql${drawings}`;
    const { fresh, below, above } = places(position, id);
    const whole = SIDE * UNIT + 2 * EDGE - 14;
    return svg("svg", { viewBox: `${-EDGE} ${-EDGE} ${whole} ${whole}`, role: scene.legal ? "group" : "img",
      "aria-label": `board with ${position.houses.length} houses` },
    patterns(id), ground(), below, crossings(position),
    position.houses.map((text) => wall(readHouse(text), { "data-house": text })),
    happened(position, scene), above,
    scene.move ? svg("g", { "data-move": scene.move.text },
      intended(readAction(scene.move.text), scene.move.seat, fresh)) : null,
    targets(position, scene, choices, step), hints(scene, fresh));
  };

  const draw = (position, scene) => {
    const choices = (scene.legal || []).map((one) => ({ ...one, act: readAction(one.text) }));
    const legalSizes = new Set(choices.filter(({ act }) => act.kind === "place").map(({ act }) => sizeOf(act.to)));
    const outer = element("div", { class: "ql" });
    const step = { house: null, size: null };
    const show = () => {
      step.size = legalSizes.size === 1 ? [...legalSizes][0] : legalSizes.has(chosenSize) ? chosenSize : null;
      outer.replaceChildren(element("style", {}, STYLE), element("div", { class: "ql-grid" },
        element("div", { class: "ql-main", style: `--seat:${seatColour(position.player || 0)}` },
          element("div", { class: "ql-steps" }, progress(position, scene)),
          choices.length ? element("div", { class: "ql-steps" }, buttons(position, scene, choices, step)) : null,
          board(position, scene, choices, step)),
        element("div", { class: "ql-players" }, [0, 1].map((seat) => player(position, scene, seat)))));
    };
    step.go = ({ size = chosenSize, house = null }) => {
      chosenSize = size;
      step.house = house;
      show();
      const next = outer.querySelector(house ? "svg [data-action]"
        : position.stage === "slide" ? "svg [data-step]" : `[data-step="${size}"]`);
      if (next) next.focus({ preventScroll: true });
    };
    show();
    return outer;
  };

  const WINNING = "In a turn a player places a house of the own supply, may slide one other house along its groove, "
    + "and may put a monument on one place that was closed in this turn: a set of squares with walls on all sides. The "
    + "game ends when somebody has placed the last monument or the last house, or when nobody can place any; who "
    + "cannot while the other can passes. Who owns more squares wins.";
  const READING = "Letters and numbers name the crossings: house c3-e3 stands between crossings c3 and e3, and square "
    + "c3 has crossing c3 at its upper left corner. The edge of the board is a groove like the "
    + "others. Beside the board: houses left by size, and monuments left; what is used is faint.";

  const legend = () => {
    drawings += 1;
    const id = `ql${drawings}`;
    const [small, medium] = ["a1-b1", "a1-c1"].map(readHouse);
    const swatch = (name, ...more) => [svg("g", { transform: "translate(30 -30)" }, filled(["a1"], id, name)), more];
    const rows = [
      [wall(small), "A small house, 1 square long. Houses stand in grooves, between crossings, and belong to nobody."],
      [wall(medium), "A medium house: 2 squares long, with 1 slit. A large one is 3 long, with 2 slits, and thicker."],
      [swatch(0, monument(0, 60, 0)), "A place of seat 0: stripes, a round monument; \"5 sq\": it counts 5 squares."],
      [swatch(1, monument(1, 60, 0)), "A place of seat 1: dots, a pointed monument."],
      [swatch("none"), "Walled in, but nobody's. With a dashed edge: closed this turn, so it can be claimed now."],
      [[wall(medium), outline(medium, 0)], "A ring: placed or slid in this turn or the one before, by that seat."],
      [ghost(medium, 1), "Dashed: where a house is about to go. Empty, with an arrow: where a slid house was before."],
      [badge(1, 60, 0), "Where hints are shown: what a search thinks best, second and third."],
    ];
    const sample = (content) => svg("svg", { viewBox: "-6 -31 132 62", "aria-hidden": "true" }, content);
    return element("div", { class: "ql" }, element("style", {}, STYLE),
      element("p", {}, WINNING), element("p", {}, READING),
      svg("svg", { width: 0, height: 0, style: "position:absolute" }, patterns(id)),
      element("ul", { class: "ql-legend" }, rows.map(([content, said]) => element("li", {}, sample(content), said))));
  };

  qpolis.viewers.quadrilatere = { draw, legend };
}
