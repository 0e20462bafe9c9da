"use strict";
// The construction site of Quadropolis with its architects and the urbanist, and what takes mean. A `table` is what
// `viewer.js` knows while it draws a position.
{
  const { element, svg } = qpolis;
  const { WIDE, HIGH, words, tile, tileText, pawn, disc, at, pick, box, plot, ring, badge, chosenMark, lastMark } =
    qpolis.quadropolis;
  const [SIDE, EDGE] = [5, 38];
  const POSTS = [..."NESW"].flatMap((side) => [1, 2, 3, 4, 5].map((index) => side + index));

  // The square of the site to which an architect points.
  const pointed = (number, post) => {
    const index = Number(post[1]) - 1;
    return { N: (number - 1) * SIDE + index, E: index * SIDE + SIDE - number, S: (SIDE - number) * SIDE + index,
      W: index * SIDE + number - 1 }[post[0]];
  };

  // An action ({action, text}) with what it does.
  const meaning = (move) => {
    const take = /^([1-5])@([NESW][1-5])$/.exec(move.text);
    if (!take) return { ...move, place: move.text };
    return { ...move, number: Number(take[1]), post: take[2], square: pointed(Number(take[1]), take[2]) };
  };

  const takeText = (position, take) => {
    const found = position.site[take.square];
    return `architect ${take.number} at ${take.post}: ${found ? `takes ${tileText(found)}` : "an empty square"}`;
  };
  const goesText = (square) =>
    `the urbanist goes to line ${Math.floor(square / SIDE) + 1}, column ${(square % SIDE) + 1}`;

  const corner = (square) => [EDGE + (square % SIDE) * WIDE, EDGE + Math.floor(square / SIDE) * HIGH];
  const centre = (square) => [corner(square)[0] + WIDE / 2, corner(square)[1] + HIGH / 2];
  const stand = (post) => {
    const [far, index] = [EDGE / 2, Number(post[1]) - 1];
    const [x, y] = centre(index * SIDE + index);
    return { N: [x, far], E: [EDGE + SIDE * WIDE + far, y], S: [x, EDGE + SIDE * HIGH + far], W: [far, y] }[post[0]];
  };

  // From an architect's position to a square, with the architect's number at its start.
  const arrow = (take, mark) => {
    const [[x, y], [toX, toY]] = [stand(take.post), centre(take.square)];
    const length = Math.hypot(toX - x, toY - y);
    const [dx, dy] = [(toX - x) / length, (toY - y) / length];
    const point = (along, aside) => [x + dx * along - dy * aside, y + dy * along + dx * aside].join(" ");
    const end = length - 8;
    return svg("g", { "pointer-events": "none", opacity: 0.85 },
      svg("path", { d: `M${point(14, 0)}L${point(end - 8, 0)}`, fill: "none", ...mark }),
      svg("path", { d: `M${point(end, 0)}L${point(end - 11, 7)}L${point(end - 11, -7)}Z`, fill: mark.stroke }),
      box(...corner(take.square), WIDE, HIGH, mark),
      disc(take.number, x, y, 12, { stroke: mark.stroke, "stroke-width": 2.5 }));
  };

  const ends = (square) => {
    const [line, column] = [Math.floor(square / SIDE) + 1, (square % SIDE) + 1];
    return [`N${column}`, `E${line}`, `S${column}`, `W${line}`];
  };

  // One of the twenty positions: who stands there, or why nobody can.
  const post = (name, position, blocked) => {
    const [x, y] = stand(name);
    const drawn = svg("g", { "data-post": name }, svg("circle", { cx: x, cy: y, r: 14, fill: "var(--card)",
      stroke: "var(--line)", class: "ring" }));
    if (position.architects.includes(name)) drawn.append(svg("title", {}, `${name}: an architect`), pawn(x, y, 23));
    else if (blocked.includes(name)) {
      drawn.append(svg("title", {}, `${name}: blocked by the urbanist`), svg("path", { "data-blocked": name,
        d: `M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12`, stroke: "var(--bad)", "stroke-width": 2.5 }));
    } else drawn.append(words(x, y + 4, 11, name, { "text-anchor": "middle", fill: "var(--grey)" }));
    return drawn;
  };

  const urbanist = (square) => svg("g", { "data-urbanist": square },
    svg("title", {}, "the urbanist"), pawn(centre(square)[0], centre(square)[1] - 5, 38, "U"),
    words(centre(square)[0], corner(square)[1] + HIGH - 6, 11, "urbanist", { "text-anchor": "middle" }));

  // Dotted lines to the positions that the urbanist blocks.
  const blocking = (square) => {
    const [[x, y], [west, north]] = [centre(square), [EDGE, EDGE]];
    return svg("path", { d: `M${west} ${y}H${EDGE + SIDE * WIDE}M${x} ${north}V${EDGE + SIDE * HIGH}`,
      stroke: "var(--bad)", "stroke-width": 1.5, "stroke-dasharray": "1 5", "stroke-linecap": "round",
      opacity: 0.7, "pointer-events": "none" });
  };

  // The architects that are left below the site: the common pool, or those of the player whose turn it is.
  const pool = (table) => {
    const { position } = table;
    const common = position.mode === "expert";
    const numbers = common ? position.pool : position.pool[position.player] || [];
    const top = 2 * EDGE + SIDE * HIGH + 18;
    const different = [...new Set(numbers)];
    return svg("g", {}, words(8, top + 5, 13, common ? "common pool" : `architects of seat ${position.player}`),
      numbers.length ? null : words(158, top + 5, 13, "none left"),
      different.map((number, place) => {
        const x = 158 + place * 62;
        const left = numbers.filter((one) => one === number).length;
        const open = table.numbers.includes(number);
        const mark = { class: "ring", ...(open ? { stroke: "var(--accent)", "stroke-width": 2.5 } : {}),
          ...(table.number === number ? { ...chosenMark, fill: "var(--band)" } : {}) };
        const drawn = svg("g", { "data-architect": number }, disc(number, x, top, 14, mark),
          common ? words(x + 18, top + 5, 12, `×${left}`) : null);
        return open ? pick(drawn, `architect ${number}`, () => table.select(number),
          { "data-step": `architect-${number}`, "aria-pressed": String(table.number === number) }) : drawn;
      }));
  };

  // Everything on the site that can be clicked: positions, and squares that the chosen architect reaches.
  const takes = (table, posts, squares, over, caption) => {
    const open = table.takes.filter((take) => take.number === table.number);
    const preview = (drawn, shown) => {
      const show = () => {
        const { square } = shown[0];
        const [x, y] = centre(square);
        over.replaceChildren(...shown.map((take) => arrow(take, chosenMark)), pawn(x + 24, y + 5, 26, "U"));
        caption.textContent = [...shown.map((take) => takeText(table.position, take)), goesText(square)].join("; ");
      };
      const hide = () => { over.replaceChildren(); caption.textContent = table.asks; };
      for (const [name, act] of [["mouseenter", show], ["focus", show], ["mouseleave", hide], ["blur", hide]]) {
        drawn.addEventListener(name, act);
      }
    };
    for (const take of open.filter(({ square }) => table.square === null || square === table.square)) {
      const drawn = posts[POSTS.indexOf(take.post)];
      drawn.querySelector("circle").setAttribute("stroke", "var(--accent)");
      drawn.querySelector("circle").setAttribute("stroke-width", 2.5);
      preview(pick(drawn, takeText(table.position, take), () => table.choose(take.action),
        { "data-action": take.action }), [take]);
    }
    for (const square of new Set(open.map((take) => take.square))) {
      const ways = open.filter((take) => take.square === square);
      squares[square].append(ring(table.square === square ? chosenMark : {}));
      const [act, named] = ways.length === 1
        ? [() => table.choose(ways[0].action), { "data-action": ways[0].action }]
        : [() => table.aim(square), { "data-step": `square-${square}` }];
      preview(pick(squares[square], ways.map((take) => takeText(table.position, take)).join(" or "), act, named), ways);
    }
  };

  // Badges at positions: the place of the hint, and the architect. Several at one position stand below one another.
  const hints = (shown, wide) => shown.map((hint, place) => {
    const before = shown.slice(0, place).filter((other) => other.post === hint.post).length;
    const [x, y] = stand(hint.post);
    const left = Math.min(Math.max(x - 16, 0), wide - 34);
    return badge(`${hint.rank}:${hint.number}`, left, y + 7 + 14 * before, hint.told);
  });

  const site = (table) => {
    const { position, scene } = table;
    const [wide, high] = [2 * EDGE + SIDE * WIDE, 2 * EDGE + SIDE * HIGH + 38];
    const where = position.urbanist && (position.urbanist[0] - 1) * SIDE + position.urbanist[1] - 1;
    const blocked = where === null ? [] : ends(where);
    const squares = position.site.map((shown, square) => svg("g", { "data-site": square,
      transform: at(...corner(square)) }, plot(), shown ? tile(shown) : null));
    const posts = POSTS.map((name) => post(name, position, blocked));
    const over = svg("g", { "pointer-events": "none" });
    const caption = element("p", { class: "told", "aria-live": "polite" }, table.asks);
    takes(table, posts, squares, over, caption);
    const [move, last] = [scene.move && meaning(scene.move), scene.last && meaning(scene.last)];
    const drawn = svg("svg", { class: "scene", viewBox: `0 0 ${wide} ${high}`, role: "group",
      "aria-label": "construction site" },
    squares, where === null ? null : [blocking(where), urbanist(where)], posts,
    last?.post && position.architects.includes(last.post) ? arrow(last, lastMark) : null,
    move?.post ? arrow(move, chosenMark) : null, over, pool(table),
    hints(table.hints.filter((hint) => hint.post), wide));
    return element("div", {}, drawn, caption);
  };

  Object.assign(qpolis.quadropolis, { meaning, site });
}
