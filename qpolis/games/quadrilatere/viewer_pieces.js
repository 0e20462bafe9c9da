"use strict";
// Pieces of the viewer: what texts mean, which squares are walled in, and how houses, places and monuments look.
{
  const { svg } = qpolis;
  const SIDE = 8;
  const UNIT = 60; // from one crossing to the next
  const EDGE = 36; // around the board, for letters and numbers
  const LETTERS = "abcdefghi";
  const SIZES = ["small", "medium", "large"]; // by length, from 1
  const NOTHING = ["stay", "leave", "pass"]; // what is said for doing nothing
  const seatColour = (seat) => `var(--seat${seat})`;
  const onSeat = (seat) => (seat === 0 ? "light-dark(#fff, #111)" : "#111");

  // -- what texts mean -----------------------------------------------------------------------------------------

  const nameOf = (x, y) => `${LETTERS[x]}${y + 1}`;
  const point = (text) => ({ x: LETTERS.indexOf(text[0]), y: Number(text[1]) - 1 });

  // A house c3-e3: its ends, its middle, how long it is, and whether it stands or lies.
  const readHouse = (text) => {
    const [from, to] = text.split("-").map(point);
    return { text, from, to, stands: from.x === to.x, length: to.x - from.x + to.y - from.y,
      middle: { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 } };
  };

  const readAction = (text) => {
    if (NOTHING.includes(text)) return { kind: text };
    if (text.startsWith("claim@")) return { kind: "claim", square: text.slice(6) };
    const [first, second] = text.split(">").map(readHouse);
    return second ? { kind: "slide", from: first, to: second } : { kind: "place", to: first };
  };

  const sizeOf = (one) => SIZES[one.length - 1];
  const fromTo = (one) => one.text.replace("-", " to ");
  const words = (act, count = 0) => ({
    place: () => `place a ${sizeOf(act.to)} house from ${fromTo(act.to)}`,
    slide: () => `slide the ${sizeOf(act.from)} house ${act.from.text} to ${act.to.text}`,
    claim: () => `claim the place of ${count} ${count === 1 ? "square" : "squares"} at ${act.square}`,
    stay: () => "stay: slide no house", leave: () => "leave: claim no place",
    pass: () => "pass: no house fits",
  })[act.kind]();

  // -- places ----------------------------------------------------------------------------------------------------

  // The walls of a square: where its neighbour is, and the slot between them.
  const SIDES = [[0, -1, "lies", 0, 0], [0, 1, "lies", 0, 1], [-1, 0, "stands", 0, 0], [1, 0, "stands", 1, 0]];

  const slotsOf = (one) => Array.from({ length: one.length }, (_, step) => (one.stands
    ? `stands ${one.from.x} ${one.from.y + step}` : `lies ${one.from.x + step} ${one.from.y}`));

  // Connected sets of squares, in the order of their first ones, and whether each is walled in on all sides.
  const regionsOf = (position) => {
    const walls = new Set(position.houses.flatMap((text) => slotsOf(readHouse(text))));
    const seen = new Set();
    const found = [];
    for (let start = 0; start < SIDE * SIDE; start += 1) {
      if (seen.has(start)) continue;
      const squares = [start];
      let closed = true;
      seen.add(start);
      for (const square of squares) {
        const [x, y] = [square % SIDE, Math.floor(square / SIDE)];
        for (const [right, down, kind, slotRight, slotDown] of SIDES) {
          if (walls.has(`${kind} ${x + slotRight} ${y + slotDown}`)) continue;
          const [nextX, nextY] = [x + right, y + down];
          const next = nextY * SIDE + nextX;
          const outside = Math.min(nextX, nextY) < 0 || Math.max(nextX, nextY) >= SIDE;
          if (outside) closed = false;
          else if (!seen.has(next)) { seen.add(next); squares.push(next); }
        }
      }
      squares.sort((one, other) => one - other);
      found.push({ closed, squares: squares.map((square) => nameOf(square % SIDE, Math.floor(square / SIDE))) });
    }
    return found;
  };

  // The square of a place nearest to the middle of it: there its monument stands.
  const heart = (squares) => {
    const points = squares.map(point);
    const mean = (key) => points.reduce((sum, one) => sum + one[key], 0) / points.length;
    const [x, y] = [mean("x"), mean("y")];
    const far = (text) => Math.hypot(point(text).x - x, point(text).y - y);
    return squares.reduce((best, text) => (far(text) < far(best) - 1e-9 ? text : best));
  };

  // -- parts of the drawing ----------------------------------------------------------------------------------------

  // A house as a bar between its ends; `grow` makes it thicker, as a mark around another.
  const bar = (one, attributes, grow = 0) => {
    const [gap, thick] = [7 - grow / 2, 7 + 2.5 * one.length + grow];
    const long = one.length * UNIT - 2 * gap;
    const [x, y] = [one.from.x * UNIT, one.from.y * UNIT];
    return svg("rect", { rx: 3 + grow / 3, ...(one.stands
      ? { x: x - thick / 2, y: y + gap, width: thick, height: long }
      : { x: x + gap, y: y - thick / 2, width: long, height: thick }), ...attributes });
  };

  // A solid house: a slit at every crossing that it covers, so that its length can be counted.
  const wall = (one, attributes) => {
    const half = 1 + .8 * one.length;
    const slits = Array.from({ length: one.length - 1 }, (_, step) => {
      const [x, y] = one.stands ? [one.from.x, one.from.y + step + 1] : [one.from.x + step + 1, one.from.y];
      return svg("line", { stroke: "var(--paper)", "stroke-width": 2, ...(one.stands
        ? { x1: x * UNIT - half, x2: x * UNIT + half, y1: y * UNIT, y2: y * UNIT }
        : { x1: x * UNIT, x2: x * UNIT, y1: y * UNIT - half, y2: y * UNIT + half }) });
    });
    return svg("g", attributes, bar(one, { fill: "var(--ink)" }), slits);
  };

  const outline = (one, seat, attributes) => bar(one, { fill: "none", stroke: seatColour(seat), "stroke-width": 3.5,
    "pointer-events": "none", ...attributes }, 7);

  const ghost = (one, seat, attributes) => bar(one, { fill: seatColour(seat), "fill-opacity": .3,
    stroke: seatColour(seat), "stroke-width": 3, "stroke-dasharray": "7 4", "pointer-events": "none",
    ...attributes }, 3);

  // An arrow beside a groove, from where a house was to where it is; inside of the board.
  const arrow = (from, to, seat, attributes) => {
    const aside = (from.stands ? from.from.x === SIDE : from.from.y > 0) ? -15 : 15;
    const [right, down] = from.stands ? [aside, 0] : [0, aside];
    const beside = ({ middle: { x, y } }) => [x * UNIT + right, y * UNIT + down];
    const [[x1, y1], [x2, y2]] = [beside(from), beside(to)];
    const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
    const [backX, backY] = [x2 - 11 * dx, y2 - 11 * dy];
    const head = `${x2},${y2} ${backX - 7 * dy},${backY + 7 * dx} ${backX + 7 * dy},${backY - 7 * dx}`;
    const line = `M${x1} ${y1}L${backX} ${backY}`;
    const halo = { stroke: "var(--paper)", "stroke-linejoin": "round" };
    return svg("g", { "pointer-events": "none", ...attributes },
      svg("path", { d: line, ...halo, "stroke-width": 8 }),
      svg("polygon", { points: head, ...halo, "stroke-width": 4 }),
      svg("path", { d: line, stroke: seatColour(seat), "stroke-width": 4 }),
      svg("polygon", { points: head, fill: seatColour(seat) }));
  };

  // The monument of a seat, round or pointed, with the seat's number.
  const monument = (seat, x, y, attributes = {}) => {
    const paint = { fill: seatColour(seat), stroke: "var(--paper)", "stroke-width": 2, ...attributes };
    return svg("g", { transform: `translate(${x} ${y})`, "pointer-events": "none" },
      seat === 0 ? svg("circle", { r: 13, ...paint }) : svg("path", { d: "M0-17L17 0L0 17L-17 0Z", ...paint }),
      svg("text", { y: 5.5, "text-anchor": "middle", "font-size": 16, "font-weight": 700,
        style: `fill:${attributes.fill ? "var(--ink)" : onSeat(seat)}` }, seat));
  };

  const squareAt = (text, attributes) => svg("rect", { x: point(text).x * UNIT, y: point(text).y * UNIT, width: UNIT,
    height: UNIT, ...attributes });

  // Stripes for seat 0, dots for seat 1, thin lines for nobody.
  const patterns = (id) => svg("defs", {},
    svg("pattern", { id: `${id}-0`, width: 12, height: 12, patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)" }, svg("rect", { width: 4, height: 12, fill: seatColour(0), opacity: .55 })),
    svg("pattern", { id: `${id}-1`, width: 12, height: 12, patternUnits: "userSpaceOnUse" },
      svg("circle", { cx: 3, cy: 3, r: 2.4, fill: seatColour(1) }),
      svg("circle", { cx: 9, cy: 9, r: 2.4, fill: seatColour(1) })),
    svg("pattern", { id: `${id}-none`, width: 10, height: 10, patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(-45)" }, svg("rect", { width: 1.5, height: 10, fill: "var(--grey)", opacity: .6 })));

  // The squares of a place, without the outer half of its walls.
  const filled = (squares, id, name, attributes) => {
    const inner = (text) => {
      const { x, y } = point(text);
      const out = (right, down) => (squares.includes(nameOf(x + right, y + down)) ? 0 : 4);
      return { x: x * UNIT + out(-1, 0), y: y * UNIT + out(0, -1), width: UNIT - out(-1, 0) - out(1, 0),
        height: UNIT - out(0, -1) - out(0, 1) };
    };
    return squares.map((text) => svg("g", { "data-square": text, ...attributes },
      name === "none" ? null : svg("rect", { ...inner(text), fill: seatColour(name), opacity: .22 }),
      svg("rect", { ...inner(text), fill: `url(#${id}-${name})` })));
  };

  // A dashed line along the inside of a place.
  const border = (squares, seat, attributes = {}) => {
    const lines = squares.flatMap((text) => {
      const { x, y } = point(text);
      return SIDES.filter(([right, down]) => !squares.includes(nameOf(x + right, y + down))).map(([right, down]) => {
        const [left, top] = [x * UNIT + UNIT / 2 + 20 * right, y * UNIT + UNIT / 2 + 20 * down];
        return `M${left - 24 * down} ${top - 24 * right}L${left + 24 * down} ${top + 24 * right}`;
      });
    });
    return svg("path", { d: lines.join(""), stroke: seatColour(seat), "stroke-width": 3.5, "stroke-dasharray": "6 4",
      fill: "none", "pointer-events": "none", ...attributes });
  };

  const count = (squares, y = 24) => {
    const { x, y: line } = point(heart(squares));
    return svg("text", { x: (x + .5) * UNIT, y: (line + .5) * UNIT + y, "text-anchor": "middle", "font-size": 13,
      "font-weight": 600, stroke: "var(--paper)", "stroke-width": 3.5, "paint-order": "stroke",
      "pointer-events": "none" }, `${squares.length} sq`);
  };

  const onPlace = (squares, seat, attributes) => {
    const { x, y } = point(heart(squares));
    return [monument(seat, (x + .5) * UNIT, (y + .5) * UNIT - 6, attributes), count(squares)];
  };

  qpolis.quadrilatere = { SIDE, UNIT, EDGE, LETTERS, SIZES, NOTHING, nameOf, point, readHouse, readAction, sizeOf,
    words, slotsOf, regionsOf, heart, seatColour, bar, wall, outline, ghost, arrow, monument, squareAt, patterns,
    filled, border, count, onPlace };
}
