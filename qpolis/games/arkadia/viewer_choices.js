"use strict";
// Choosing an action of Arkadia: on the board, on cards, and in a bar of buttons above the board. An element that
// chooses an action has data-action, one that only narrows the choice data-step; data-key names it when it is drawn
// anew. The best actions of a search carry their place.
{
  const { element, svg } = qpolis;
  qpolis.viewers.arkadia ||= {};
  const ark = qpolis.viewers.arkadia;

  // Make an element something to press, by pointer or keyboard.
  const press = (made, label, act) => {
    made.classList.add("choice");
    const pressed = (event) => { event.stopPropagation(); act(event.detail === 0); };
    const button = { "aria-label": label || null, onclick: pressed }; // all the rest it is by itself
    return qpolis.give(made, made.tagName === "BUTTON" ? button : qpolis.pressable(label || null, pressed));
  };

  // What can be chosen, by texts, and the places of hints.
  ark.offer = (scene) => {
    const actions = new Map((scene.legal || []).map(({ action, text }) => [text, action]));
    const places = new Map(qpolis.best(scene).map(({ text }, i) => [text, i + 1]));
    const claimed = new Set();
    // The element, which chooses the action of a text if that is legal, with the place of its hint.
    const choice = (made, text, label) => {
      if (places.has(text) && made instanceof HTMLElement) made.append(badge(places.get(text)));
      if (!actions.has(text)) return made;
      claimed.add(text);
      made.setAttribute("data-action", actions.get(text));
      return press(made, label, () => scene.choose(actions.get(text)));
    };
    const step = (made, label, act) => { made.setAttribute("data-step", ""); return press(made, label, act); };
    return { texts: [...actions.keys()], places, choice, step, claimed: (text) => claimed.has(text) };
  };

  const badge = (place) => element("span", { class: "ark-badge", title: `number ${place} of the search` }, place);
  const badgeOn = (place, x, y) => svg("g", { class: "badge" }, svg("title", {}, `number ${place} of the search`),
    svg("circle", { cx: x, cy: y, r: 9 }), svg("text", { x, y: y + 5, "font-size": 13 }, place));

  // -- what all stages share ---------------------------------------------------------------------------------

  const PROMPTS = {
    act: "Play a card of the hand, or choose a building on the board to place workers beside it.",
    lay: "Choose a square for the building; again the same square turns it.",
    workers: "Place workers on the marked squares, row by row.",
    castle: "Choose a block, then a castle square.",
    draw: "Take one of the open cards, or draw from the pile.",
    banner: "A banner brings 2 workers, and then seals can be exchanged for gold.",
    sell: "How many to exchange?",
  };

  // The layer of the board and the bar of buttons for the choices of a position; empty if there are none. `table` has
  // what the drawing has: position, scene, offer.
  ark.choices = (table) => {
    const layer = svg("g", { class: "choices" });
    const bar = element("div", { class: "ark-bar" });
    const { position, offer } = table;
    const chosen = { family: null, kind: null, square: null, turn: 0 };
    const render = (focus) => {
      const held = focus || (bar.contains(document.activeElement) || layer.contains(document.activeElement)
        ? document.activeElement.dataset.key : null);
      const { shapes = [], buttons = [] } = (STAGES[position.stage] || (() => ({})))(table, chosen, render);
      layer.replaceChildren(...[shapes].flat(Infinity).filter(Boolean));
      const drawn = [buttons, rest(table)].flat(Infinity);
      bar.replaceChildren(...(offer.texts.length ? [element("span", { class: "prompt" }, PROMPTS[position.stage] || ""),
        ...drawn] : []));
      const again = held && [...bar.querySelectorAll("[data-key]"), ...layer.querySelectorAll("[data-key]")]
        .find((made) => made.dataset.key === held);
      if (again) again.focus();
    };
    render();
    return { layer, bar };
  };

  const button = ({ offer, position }, text, said) => offer.choice(element("button",
    { type: "button", "data-key": text, class: said ? null : "main" }, said || ark.words(position, text)),
  text, ark.words(position, text));

  // Whatever no card, square or button of the stage stands for is a button of its own.
  const rest = (table) => table.offer.texts.filter((text) => !table.offer.claimed(text) && !onBoard(text))
    .map((text) => button(table, text));
  const onBoard = (text) => /[+/]|^(workers|own|neutral)@/.test(text);

  const stepButton = ({ offer }, key, label, act, ...said) =>
    offer.step(element("button", { type: "button", "data-key": key }, said), label, act);
  const toggle = (table, key, pressed, ...more) => {
    const made = stepButton(table, key, ...more);
    made.setAttribute("aria-pressed", String(pressed));
    return made;
  };

  const cellOf = (square, more) => {
    const [x, y] = ark.corner(square);
    return svg("rect", { x: x + 2, y: y + 2, width: 36, height: 36, rx: 4, "data-key": square, ...more });
  };

  // Arrow keys go to the next square in their direction that can be chosen.
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const walk = (event) => {
    const way = WAYS[event.key];
    const here = event.target.dataset.key;
    if (!way || !here || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = ark.cell(here);
    const far = (made) => {
      const [dx, dy] = [ark.cell(made.dataset.key)[0] - x, ark.cell(made.dataset.key)[1] - y];
      const along = dx * way[0] + dy * way[1];
      return along > 0 ? along + 3 * Math.abs(dx * way[1] + dy * way[0]) : Infinity;
    };
    const others = [...event.currentTarget.querySelectorAll("[data-key]")];
    const next = others.reduce((best, made) => (far(made) < far(best) ? made : best), event.target);
    next.focus();
  };
  const squares = (...made) => svg("g", { class: "squares", onkeydown: walk }, made);

  // -- stage by stage ----------------------------------------------------------------------------------------

  const act = ({ position, offer }) => {
    const chosen = (text) => {
      const first = text.slice("workers@".length);
      const found = position.buildings.find((building) => building.squares[0] === first);
      const laid = found ? found.squares : position.lot;
      const [x, y] = ark.corner(first);
      return [offer.choice(svg("path", { class: "area", d: ark.outline(laid, 1), "data-key": first }), text,
        ark.words(position, text)),
      offer.places.has(text) ? badgeOn(offer.places.get(text), x + 5, y + 5) : null];
    };
    return { shapes: squares([...offer.texts, ...offer.places.keys()]
      .filter((text, i, all) => text.startsWith("workers@") && all.indexOf(text) === i).map(chosen)) };
  };

  // The placements that cover a square, those that a search likes first; a square is chosen, then turned.
  const lay = (table, chosen, render) => {
    const { position, offer } = table;
    const first = (text) => offer.places.get(text) ?? offer.places.size + 1;
    const covering = new Map();
    for (const text of offer.texts.filter((one) => one.includes("+")).sort((a, b) => first(a) - first(b))) {
      for (const square of text.split("+")) covering.set(square, [...(covering.get(square) || []), text]);
    }
    const ghost = svg("g", { class: "ghost" });
    const show = (text) => ghost.replaceChildren(...(text ? [ghostOf(position, text)] : []));
    const here = covering.get(chosen.square) || [];
    const turn = here.length ? ((chosen.turn % here.length) + here.length) % here.length : 0;
    show(here[turn]);
    const pick = (square, keyboard) => {
      chosen.turn = chosen.square === square ? turn + 1 : 0;
      chosen.square = square;
      render(keyboard ? "build" : null);
    };
    const cells = [...covering].map(([square, texts]) => {
      const made = offer.step(cellOf(square, { class: square === chosen.square ? "square chosen" : "square" }),
        `${square}: ${texts.length} ways to build`, (keyboard) => pick(square, keyboard));
      made.addEventListener("pointerenter", () => show(square === chosen.square ? here[turn] : texts[0]));
      made.addEventListener("pointerleave", () => show(here[turn]));
      return made;
    });
    const best = [...offer.places].filter(([text]) => text.includes("+")).map(([text, place]) => {
      const [x, y] = ark.corner(text.split("+")[0]);
      return [svg("path", { class: "hint", d: ark.outline(text.split("+"), 3) }), badgeOn(place, x + 8, y + 8)];
    });
    const buttons = covering.size ? turning(table, here, turn, chosen, render) : [];
    return { shapes: [squares(cells), best, ghost], buttons };
  };

  const ghostOf = (position, text) => {
    const [type, family] = ark.split(position.held);
    const laid = text.split("+");
    const [x, y] = ark.corner(laid[0]);
    return svg("g", { class: `building ${family}`, "data-ghost": text },
      svg("path", { class: "body", d: ark.outline(laid) }), ark.hatching(family, laid.map(ark.corner)),
      svg("path", { class: "mark move", d: ark.outline(laid, 1) }), ark.pictogram(type, x + 8, y + 8));
  };

  // The buttons are there before a square is chosen, so that the board stays where it is.
  const turning = (table, here, turn, chosen, render) => {
    const go = (by) => () => { chosen.turn = turn + by; render(); };
    const turns = (key, label, by, said) => (here.length > 1 ? stepButton(table, key, label, go(by), said)
      : element("button", { type: "button", disabled: true }, said));
    const build = element("button", { type: "button", class: "main", "data-key": "build", disabled: !here.length },
      "build here");
    return [turns("before", "the way before", -1, "◀"),
      element("span", { class: "count" }, here.length ? `${turn + 1} of ${here.length}` : "no square yet"),
      turns("next", "turn it: the next way", 1, "turn it ▶"),
      here.length ? table.offer.choice(build, here[turn], ark.words(table.position, here[turn])) : build];
  };

  // Own and neutral workers by turns, if there are both.
  const workers = (table, chosen, render) => {
    const { position, offer } = table;
    const kinds = ["own", "neutral"].filter((kind) => offer.texts.some((text) => text.startsWith(`${kind}@`)));
    const kind = kinds.includes(chosen.kind) ? chosen.kind : kinds[0];
    const cells = offer.texts.filter((text) => text.startsWith(`${kind}@`)).map((text) =>
      offer.choice(cellOf(text.split("@")[1], { class: "square" }), text, ark.words(position, text)));
    const liked = [...offer.places].filter(([text]) => /^(own|neutral)@/.test(text));
    const best = liked.map(([text, place], i) => {
      const [what, square] = text.split("@");
      const [x, y] = ark.corner(square);
      const first = liked.findIndex(([other]) => other.endsWith(`@${square}`)) === i; // one ghost on a square
      const who = what === "own" ? position.player : what;
      return [first ? svg("g", { class: "ghost hinted" }, ark.worker(who, x, y)) : null,
        badgeOn(place, x + (what === "own" ? 8 : 32), y + 8)];
    });
    const buttons = kinds.length > 1 ? kinds.map((one) => toggle(table, one, one === kind, `place ${one} workers`,
      () => { chosen.kind = one; render(); },
      ark.icon("", `${one} worker`, ark.worker(one === "own" ? position.player : one, -2, -2, 28)), ` ${one}`)) : [];
    const done = offer.texts.includes("done") ? [button(table, "done")] : [];
    return { shapes: [squares(cells), best], buttons: [buttons, done] };
  };

  // First the block, then the square: all that show the same are one choice.
  const castle = (table, chosen, render) => {
    const { position, offer } = table;
    const families = ark.FAMILIES.filter((family) => offer.texts.some((text) => text.startsWith(`${family}/`)));
    const family = families.includes(chosen.family) ? chosen.family : families[0];
    const level = ark.level(position);
    const cells = ark.ring(position).flatMap((square, i) => {
      const { shows, level: built } = position.castle[i];
      const text = `${family}/${shows || "blank"}`;
      if (built !== level || !offer.texts.includes(text)) return [];
      const [x, y] = ark.corner(square);
      const place = offer.places.get(text);
      const first = position.castle.findIndex((other) => other.level === level && other.shows === shows) === i;
      return [offer.choice(cellOf(square, { class: "square block" }), text, ark.words(position, text)),
        place && first ? badgeOn(place, x + 8, y + 8) : null];
    });
    const best = (one) => [...offer.places].filter(([text]) => text.startsWith(`${one}/`))
      .map(([, place]) => badge(place));
    const buttons = families.map((one) => toggle(table, one, one === family, `${ark.article(one)} block`,
      () => { chosen.family = one; render(); }, ark.sealIcon(one),
      ` ${one} (${position.stock[level][one]})`, best(one)));
    return { shapes: squares(cells), buttons };
  };

  const banner = (table) => ({ buttons: table.offer.texts.map((text) => button(table, text)) });

  const sell = (table) => {
    const { position, offer } = table;
    const worth = ark.worth(position, position.selling);
    return { buttons: offer.texts.map((text) => {
      const count = Number(text.split("=")[1]);
      return button(table, text, count ? `${count} for ${count * worth} gold` : "none");
    }) };
  };

  const STAGES = { act, lay, workers, castle, banner, sell };
}
