"use strict";
// The cities of Quadropolis, and what their owners have. A `table` is what `viewer.js` knows while it draws a position.
{
  const { svg } = qpolis;
  const { WIDE, HIGH, NAMES, GROUND, words, sign, count, tile, building, stack, disc, at, pick, box, plot, ring, badge,
    chosenMark, lastMark } = qpolis.quadropolis;
  const [HEAD, LEFT] = [80, 18]; // room above and left of the squares
  const LETTERS = "abcde";

  // Thick lines between districts and around the city.
  const borders = (districts, columns) => {
    const parts = [`M0 0H${columns * WIDE}V${(districts.length / columns) * HIGH}H0Z`];
    districts.forEach((district, square) => {
      const [x, y] = [(square % columns) * WIDE, Math.floor(square / columns) * HIGH];
      if ((square + 1) % columns && districts[square + 1] !== district) parts.push(`M${x + WIDE} ${y}v${HIGH}`);
      if (square + columns < districts.length && districts[square + columns] !== district) {
        parts.push(`M${x} ${y + HIGH}h${WIDE}`);
      }
    });
    return svg("path", { d: parts.join(""), fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 });
  };

  // The number of each district, in its middle.
  const districtNumbers = (districts, columns) => [...new Set(districts)].map((district) => {
    const own = districts.flatMap((one, square) => (one === district ? [square] : []));
    const middle = (places, size) => (places.reduce((sum, place) => sum + place, 0) / places.length + 0.5) * size;
    const x = middle(own.map((square) => square % columns), WIDE);
    const y = middle(own.map((square) => Math.floor(square / columns)), HIGH);
    return svg("g", {}, svg("circle", { cx: x, cy: y, r: 9, fill: "var(--ink)", stroke: "var(--paper)" }),
      words(x, y + 4, 11, district, { "text-anchor": "middle", fill: "var(--paper)", "font-weight": 700 }));
  });

  // What is about to be built: a tile, or one more floor.
  const ghost = (held, built) => {
    if (!built) return tile(held, { opacity: 0.5 });
    const drawn = svg("g", { opacity: 0.5 }, stack(built.type, built.floors + 1, 36, GROUND));
    for (const floor of drawn.querySelectorAll("[data-floor]")) floor.removeAttribute("data-floor"); // not there yet
    return drawn;
  };

  const square = (table, seat, number) => {
    const { position, columns, scene } = table;
    const name = LETTERS[number % columns] + (Math.floor(number / columns) + 1);
    const [built, end] = [position.cities[seat][number], position.player === null && table.seats[seat]];
    const settled = end && { active: end.active.includes(number), people: end.inhabitants[number] || 0,
      power: end.energy[number] || 0 };
    const here = (move) => move && move.seat === seat && move.text === name;
    const legal = position.player === seat && table.places.find((one) => one.place === name);
    const hint = position.player === seat && table.hints.find((one) => one.place === name);
    const drawn = svg("g", { "data-square": name, transform: at(LEFT + (number % columns) * WIDE,
      HEAD + Math.floor(number / columns) * HIGH) },
    plot(), built ? building(built, settled || null) : null,
    here(scene.move) && position.held ? ghost(position.held.tile, built) : null,
    table.squareNumbers ? words(5, 14, 11, table.squareNumbers[number], { fill: "var(--grey)" }) : null,
    here(scene.last) ? box(1, 1, WIDE - 2, HIGH - 2, lastMark) : null,
    here(scene.move) ? box(1, 1, WIDE - 2, HIGH - 2, chosenMark) : null, legal ? ring() : null,
    hint ? badge(hint.rank, 4, HIGH - 32, hint.told) : null);
    if (!legal) return drawn;
    const told = `place ${NAMES[position.held.tile.type]} on ${name}${built ? `, floor ${built.floors + 1}` : ""}`;
    return pick(drawn, told, () => table.choose(legal.action), { "data-action": legal.action });
  };

  const cut = (name, most) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

  // The tile in the hand of the player, and what else can be done with it.
  const hand = (table, wide) => {
    const { held } = table.position;
    const legal = table.places.find((one) => one.place === "discard");
    const hint = table.hints.find((one) => one.place === "discard");
    const made = table.scene.move && table.scene.move.text === "discard";
    const button = svg("g", { transform: at(wide - 128, 34) }, box(0, 0, 52, 24, { class: "ring", fill: "var(--card)",
      ...(made ? chosenMark : { stroke: legal ? "var(--accent)" : "var(--line)", "stroke-width": legal ? 2 : 1 }) }),
    words(26, 16, 12, "discard", { "text-anchor": "middle", fill: legal || made ? "var(--ink)" : "var(--grey)" }),
    hint ? badge(hint.rank, 20, -9, hint.told) : null);
    if (legal) {
      const told = `discard ${NAMES[held.tile.type]}`;
      pick(button, told, () => table.choose(legal.action), { "data-action": legal.action });
    }
    return svg("g", { "data-held": held.tile.type }, disc(held.architect, wide - 62, 46, 10),
      svg("g", { transform: at(wide - 49, 25, 0.62) }, tile(held.tile)), legal || made ? button : null);
  };

  const head = (table, seat, wide) => {
    const { position, scene } = table;
    const [name, end] = [String(scene.bots?.[seat] || ""), table.seats[seat]];
    const turn = position.player === seat;
    const own = position.mode === "classic" ? position.pool[seat] || [] : [];
    const idle = position.player === null && end ? Object.entries(end.idle).filter(([, left]) => left) : [];
    return svg("g", {}, turn ? box(0, 0, wide, 24, { fill: "var(--band)", stroke: "var(--accent)" }) : null,
      box(3, 3, 19, 18, { rx: 4, fill: `var(--seat${seat})` }),
      words(12.5, 17, 13, seat, { "text-anchor": "middle", "font-weight": 700,
        fill: seat ? "#111" : "light-dark(#fff, #111)" }),
      svg("g", {}, svg("title", {}, name),
        words(28, 17, 14, cut(name, wide > 380 ? 32 : 24), { "font-weight": turn ? 700 : 400 })),
      end ? words(wide - 5, 17, 14, end.total === 1 ? "1 point" : `${end.total} points`,
        { "text-anchor": "end", "font-weight": 700 }) : null,
      svg("g", {}, svg("title", {}, "inhabitants"), count("inhabitants", position.inhabitants[seat], 5, 38, 14)),
      svg("g", {}, svg("title", {}, "energy"), count("energy", position.energy[seat], 50, 38, 14)),
      position.mayor === seat
        ? svg("g", { "data-mayor": seat }, svg("title", {}, "mayor"), sign("mayor", 93, 37, 16)) : null,
      own.map((number, place) => disc(number, 124 + place * 21, 46, 8.5)),
      idle.map(([what, left], place) => svg("g", {}, svg("title", {}, `${left} ${what} left over`),
        words(130 + 86 * place, 50, 12, "left over", { fill: "var(--bad)" }),
        count(what, left, 186 + 86 * place, 39, 12))),
      turn && position.held ? hand(table, wide) : null);
  };

  const city = (table, seat) => {
    const { position, columns } = table;
    const squares = position.cities[seat].length;
    const [wide, high] = [LEFT + columns * WIDE + 2, HEAD + (squares / columns) * HIGH + 2];
    const classic = position.mode === "classic";
    const whose = table.scene.seat === seat ? "own" : "other";
    return svg("svg", { class: `scene ${whose}`, viewBox: `0 0 ${wide} ${high}`, role: "group", "data-city": seat,
      "aria-label": `city of seat ${seat}` },
    head(table, seat, wide),
    [...LETTERS.slice(0, columns)].map((letter, column) => words(LEFT + (column + 0.5) * WIDE, HEAD - 5, 12,
      classic ? `${letter} · ${column + 1}` : letter, { "text-anchor": "middle", fill: "var(--grey)" })),
    [...Array(squares / columns).keys()].map((line) => words(8, HEAD + (line + 0.5) * HIGH + 4, 12, line + 1,
      { "text-anchor": "middle", fill: "var(--grey)" })),
    [...Array(squares).keys()].map((number) => square(table, seat, number)),
    svg("g", { transform: at(LEFT, HEAD), "pointer-events": "none" }, borders(table.districts, columns),
      classic ? null : districtNumbers(table.districts, columns)));
  };

  Object.assign(qpolis.quadropolis, { city });
}
