"use strict";
// Draws positions of Arkadia: the board with the castle on it, the cards to take, and what everybody has. Pieces and
// words are in viewer_parts.js, choosing actions in viewer_choices.js, colours in viewer_style.js.
{
  const { element, svg } = qpolis;
  qpolis.viewers.arkadia ||= {};
  const ark = qpolis.viewers.arkadia;

  ark.draw = (position, scene) => {
    ark.style();
    const table = { position, scene, forms: scene.details?.forms || {}, camps: scene.details?.camps || [],
      offer: ark.offer(scene) };
    const side = element("div", { class: "ark-side" }, castlePanel(table), displayPanel(table));
    const seats = element("div", { class: `ark-seats of${position.players}` },
      position.gold.map((_, seat) => seatPanel(table, seat)));
    const { layer, bar } = ark.choices(table);
    const asking = table.offer.texts.length ? "asking" : "";
    return element("div", { class: "arkadia" }, element("div", { class: `ark-all ${asking}` }, statusLine(table), bar,
      element("div", { class: "ark-table" }, board(table, layer), side), seats));
  };

  // -- the board ---------------------------------------------------------------------------------------------

  const board = (table, layer) => {
    const { position, scene, camps } = table;
    const [wide, high] = [ark.EDGE + ark.COLUMNS * ark.SIZE + 4, ark.EDGE + ark.ROWS * ark.SIZE + 4];
    const taken = new Set([...position.lot, ...position.buildings.flatMap(({ squares }) => squares),
      ...position.workers.flat(), ...position.neutral]);
    return svg("svg", { class: "ark-board", viewBox: `0 0 ${wide} ${high}`, role: "group",
      "aria-label": "the board: columns a to p, rows 1 to 12" },
    ground(), camps.filter((square) => !taken.has(square)).map(camp), castle(position),
    position.buildings.map((building) => drawBuilding(building, taken)),
    position.workers.flatMap((squares, seat) => squares.map((square) => drawWorker(seat, square))),
    position.neutral.map((square) => drawWorker("neutral", square)),
    position.beside ? mark("chosen", squaresAt(position, position.beside)) : null,
    svg("g", { class: "marks" }, marks(position, scene.last, "last"), marks(position, scene.move, "move")), layer);
  };

  const ground = () => {
    const { SIZE, EDGE, COLUMNS, ROWS } = ark;
    const [right, bottom] = [EDGE + COLUMNS * SIZE, EDGE + ROWS * SIZE];
    const columns = Array.from({ length: COLUMNS }, (_, i) => i);
    const rows = Array.from({ length: ROWS }, (_, i) => i);
    return svg("g", { class: "ground" },
      svg("rect", { x: EDGE, y: EDGE, width: COLUMNS * SIZE, height: ROWS * SIZE }),
      svg("path", { d: columns.slice(1).map((i) => `M${EDGE + i * SIZE} ${EDGE}V${bottom}`).join("")
        + rows.slice(1).map((i) => `M${EDGE} ${EDGE + i * SIZE}H${right}`).join("") }),
      columns.map((i) => svg("text", { x: EDGE + (i + 0.5) * SIZE, y: EDGE - 6 }, String.fromCharCode(97 + i))),
      rows.map((i) => svg("text", { x: EDGE / 2 - 1, y: EDGE + (i + 0.5) * SIZE + 5 }, i + 1)));
  };

  const camp = (square) => {
    const [x, y] = ark.corner(square);
    return svg("g", { class: "camp", "data-camp": square }, svg("title", {}, `camp on ${square}`),
      svg("path", { d: `M${x + 8} ${y + 31}L${x + 20} ${y + 10}L${x + 32} ${y + 31}Z` }),
      svg("path", { class: "flap", d: `M${x + 16} ${y + 31}L${x + 20} ${y + 20}L${x + 24} ${y + 31}Z` }));
  };

  const drawBuilding = ({ type, family, squares, complete }, taken) => {
    const corners = squares.map(ark.corner);
    const open = ark.beside(squares).filter((square) => !taken.has(square));
    const [[x, y], [x2, y2]] = corners;
    return svg("g", { class: `building ${family} ${complete ? "complete" : ""}`, "data-building": squares.join("+"),
      "data-type": type, "data-family": family, "data-complete": String(complete) },
    svg("title", {}, `${family} ${ark.typeName(type)} on ${squares.join(", ")}: ${complete ? "complete"
      : `free beside it: ${open.join(", ")}`}`),
    svg("path", { class: "body", d: ark.outline(squares) }), ark.hatching(family, corners),
    svg("path", { class: "edge", d: ark.outline(squares) }),
    ark.pictogram(type, x + 8, y + 8),
    complete ? svg("text", { class: "ready", x: x2 + 20, y: y2 + 27, "font-size": 19 }, `${ark.LETTERS[family]}✓`)
      : ark.seal(family, x2 + 7, y2 + 7, 26));
  };

  const drawWorker = (seat, square) => svg("g", { "data-worker": seat, "data-square": square },
    svg("title", {}, seat === "neutral" ? `neutral worker on ${square}` : `worker of seat ${seat} on ${square}`),
    ark.worker(seat, ...ark.corner(square)));

  // The castle on its lot: what each square shows, with a point for each block on it.
  const castle = (position) => svg("g", { class: "lot", "data-lot": position.lot.join("+") },
    svg("path", { class: "walls", d: ark.outline(position.lot, 0) }),
    ark.ring(position).map((square, i) => {
      const [x, y] = ark.corner(square);
      const { shows, level } = position.castle[i];
      const points = Array.from({ length: level }, (_, n) => svg("circle", { class: "point",
        cx: x + 20 + 9 * (n - (level - 1) / 2), cy: y + 34, r: 3 }));
      return svg("g", { class: `block ${shows || "blank"}`, "data-castle": i, "data-shows": shows || "blank",
        "data-level": level },
      svg("title", {}, `castle square ${i + 1}: ${shows || "nothing"}, ${level} block${level === 1 ? "" : "s"}`),
      svg("rect", { x: x + 1.5, y: y + 1.5, width: 37, height: 37, rx: 3 }),
      shows ? ark.hatching(shows, [[x, y]]) : null,
      shows ? svg("text", { x: x + 20, y: y + 26, "font-size": 21 }, ark.LETTERS[shows]) : null, points);
    }),
    keep(position));

  // The two squares inside the ring.
  const keep = (position) => {
    const inside = position.lot.filter((square) => !ark.ring(position).includes(square)).map(ark.corner);
    const [x, y] = [0, 1].map((axis) => inside.reduce((sum, corner) => sum + corner[axis], 0) / inside.length);
    return svg("path", { class: "keep", d: "M3 22V4h3v3h3V4h2v3h2V4h2v3h3V4h3v18h-7v-6h-4v6z",
      transform: `translate(${x + 5} ${y + 4}) scale(1.25)` });
  };

  const squaresAt = (position, first) =>
    (position.buildings.find(({ squares }) => squares[0] === first) || { squares: position.lot }).squares;

  // An outline, on a pale one that sets it off from buildings of its own colour.
  const mark = (kind, squares) => ["halo", `mark ${kind}`].map((name) =>
    svg("path", { class: name, d: ark.outline(squares, 0) }));

  // A move on the board: one to come (`move`) or the last one.
  const marks = (position, move, kind) => {
    if (!move) return null;
    const [what, square] = move.text.split("@");
    if (move.text.includes("+")) return mark(kind, move.text.split("+"));
    if (what === "workers") return mark(kind, squaresAt(position, square));
    if (what === "own" || what === "neutral") {
      const [x, y] = ark.corner(square);
      const who = what === "own" ? move.seat : what;
      return [kind === "move" ? svg("g", { class: "ghost" }, ark.worker(who, x, y)) : null,
        svg("circle", { class: `mark ${kind}`, cx: x + 20, cy: y + 20, r: 18 })];
    }
    const place = move.text.includes("/") ? castlePlace(position, move.text, kind) : -1;
    return place < 0 ? null : mark(kind, [ark.ring(position)[place]]);
  };

  // The castle square of a block: the first that shows what it covers. Of a block that lies already: if there is no
  // doubt which one it is.
  const castlePlace = (position, text, kind) => {
    const [family, covered] = text.split("/");
    const level = kind === "move" ? ark.level(position) : Math.max(...position.castle.map((square) => square.level));
    const shown = kind === "move" ? covered : family;
    const found = position.castle.flatMap((square, i) =>
      (square.level === level && (square.shows || "blank") === shown ? [i] : []));
    return kind === "move" || found.length === 1 ? found[0] ?? -1 : -1;
  };

  // -- beside the board --------------------------------------------------------------------------------------

  const STAGES = {
    act: () => "plays a card or places workers",
    lay: ({ held }) => `lays the ${ark.cardName(held)}`,
    workers: (position) => `places workers beside ${ark.buildingName(position, position.beside)}`,
    castle: ({ blocks }) => `lays a block on the castle${blocks > 1 ? ` (${blocks} to lay)` : ""}`,
    draw: () => "draws a card",
    banner: () => "may give up a banner",
    sell: (position) => `may exchange ${position.selling} seals, ${ark.worth(position, position.selling)} gold each`,
  };

  const statusLine = ({ position, scene }) => {
    const { player, turns_left: left, turn } = position;
    if (player === null) return element("p", { class: "ark-status" }, element("b", {}, "The game is over."));
    return element("p", { class: "ark-status", "data-stage": position.stage },
      element("span", { class: "note" }, `turn ${turn + 1}`), qpolis.seat(player), name(scene, player),
      element("span", {}, STAGES[position.stage](position)),
      left ? element("b", { class: "left" }, left === 1 ? "the last turn" : `${left} turns left`) : null,
      element("span", { class: "note before" }, scene.last
        ? `before: seat ${scene.last.seat}: ${ark.words(position, scene.last.text)}` : "\u00a0"));
  };

  const name = (scene, seat) => {
    const said = (scene.bots || [])[seat] ?? `seat ${seat}`;
    return element("span", { class: "ark-name", title: said }, said);
  };

  const is = (move, text) => Boolean(move && move.text === text);
  const marked = (scene, text) => (is(scene.move, text) ? "to-come" : is(scene.last, text) ? "was" : "");

  const castlePanel = ({ position }) => {
    const level = ark.level(position);
    const built = position.castle.filter((square) => square.level > level).length;
    const cells = (family) => position.stock.map((stock, i) =>
      element("td", { class: i === level ? "now" : null, "data-stock": `${i + 1}-${family}` }, stock[family]));
    return element("section", { class: "ark-panel castle" },
      element("h4", {}, level < 3 ? `Castle, level ${level + 1}: ${built} of 10` : "Castle: full"),
      element("table", {}, element("thead", {},
        element("tr", {}, element("td"),
          element("th", { rowspan: 2, scope: "col" }, "a seal", element("br"), "is worth"),
          element("th", { colspan: 3, scope: "colgroup" }, "blocks, by level")),
        element("tr", {}, element("td"),
          [1, 2, 3].map((i) => element("th", { class: i === level + 1 ? "now" : null }, i)))),
      element("tbody", {}, ark.FAMILIES.map((family) => element("tr", {},
        element("th", { scope: "row" }, ark.sealIcon(family), ` ${family}`),
        element("td", { class: "worth", "data-worth": family }, ark.worth(position, family)), cells(family))))));
  };

  const displayPanel = ({ position, scene, forms, offer }) => {
    const left = position.pile ? position.pile.length : position.unseen;
    const cards = position.display.map((card) => (card
      ? offer.choice(ark.card(card, forms, { class: `ark-card ${ark.split(card)[1]} ${marked(scene, `draw@${card}`)}`,
        title: ark.cardName(card) }), `draw@${card}`, `take the ${ark.cardName(card)}`)
      : element("span", { class: "ark-card none" })));
    const pile = element("span", { class: `ark-card pile ${left ? "back" : "none"} ${marked(scene, "draw@pile")}`,
      "data-pile": left, title: `${left} cards in the pile` }, element("b", {}, left),
    element("span", { class: "caption" }, "pile"));
    return element("section", { class: "ark-panel display" }, element("h4", {}, "Cards to take"),
      element("div", { class: "ark-cards" }, cards, offer.choice(pile, "draw@pile", "draw from the pile")),
      position.held ? [element("h4", {}, "To be laid"),
        element("div", { class: "ark-cards" }, ark.card(position.held, forms, { "data-held": true }))] : null);
  };

  // -- the seats ---------------------------------------------------------------------------------------------

  // A seat's cards as far as they may be seen: {card, known}, and null for a back.
  const handOf = ({ position, scene }, seat) => {
    const eyes = scene.seat ?? position.seat ?? null;
    const known = [...position.known[seat]];
    const count = position.cards ? position.cards[seat] : position.hands[seat].length;
    const mine = eyes === seat || (eyes === null && position.hands);
    const seen = !mine ? [...known] : position.hands ? position.hands[seat] : position.hand;
    const cards = seen.map((card) => {
      const place = known.indexOf(card);
      if (place >= 0) known.splice(place, 1);
      return { card, known: place >= 0 };
    });
    return [...cards, ...Array.from({ length: count - cards.length }, () => null)];
  };

  const handCard = ({ position, scene, forms, offer }, seat, held) => {
    if (!held) return ark.card(null, forms, { title: "a card that only its owner knows" });
    const mine = position.player === seat;
    const [, family] = ark.split(held.card);
    const drawn = ark.card(held.card, forms, {
      class: `ark-card ${family} ${held.known ? "known" : ""} ${mine && is(scene.move, held.card) ? "to-come" : ""}`,
      title: `${ark.cardName(held.card)}${held.known ? ", which all know" : ""}` });
    return mine ? offer.choice(drawn, held.card, `play the ${ark.cardName(held.card)}`) : drawn;
  };

  const BANNER = "M5 2h2v1h13l-4 5 4 5H7v9H5z";
  const stores = (position, seat) => [
    ["gold", position.gold[seat], "gold", [svg("circle", { class: "coin", cx: 12, cy: 12, r: 10 }),
      svg("text", { x: 12, y: 16.5, "font-size": 13 }, "g")]],
    ["own", position.own[seat], "own workers to place", ark.worker(seat, -2, -2, 28)],
    ["helpers", position.helpers[seat], "neutral workers to place", ark.worker("neutral", -2, -2, 28)],
    ["banners", position.banners[seat], "banners left", svg("path", { class: "banner", d: BANNER })]];

  const seatPanel = (table, seat) => {
    const { position, scene } = table;
    const here = (move) => move && move.seat === seat && /^(banner|keep|pass|done|[a-z]+=\d+)$/.test(move.text);
    const seals = position.seals[seat];
    const turn = position.player === seat;
    return element("section", { class: `ark-panel seat-panel ${turn ? "turn" : ""}`, "data-seat": seat },
      element("h4", {}, qpolis.seat(seat), name(scene, seat), turn ? element("b", {}, "◂") : null,
        here(scene.move) ? element("code", { class: "to-come" }, scene.move.text) : null,
        here(scene.last) ? element("code", { class: "was" }, scene.last.text) : null),
      element("div", { class: "ark-has" },
        element("div", { class: "ark-stores" }, stores(position, seat).map(([key, count, tip, drawn]) =>
          element("span", { [`data-${key}`]: count }, ark.icon(key, tip, drawn), count))),
        element("div", { class: "ark-stores" }, ark.FAMILIES.map((family) => element("span",
          { [`data-seals-${family}`]: seals[family], class: seals[family] ? null : "zero" },
          ark.sealIcon(family), seals[family])))),
      element("div", { class: "ark-cards hand" }, handOf(table, seat).map((held) => handCard(table, seat, held))));
  };
}
