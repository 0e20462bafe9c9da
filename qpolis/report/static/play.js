"use strict";
// The page where a person plays: it shows what the server says (docs/play.md lists the messages) and decides nothing.
{
  const { element } = qpolis;
  const PACES = [["at once", 0], ["quick", 350], ["slow", 1200]];
  const RETRY = [500, 1000, 2000, 4000]; // milliseconds between attempts to connect

  // What is known: from the server, and what the reader looks at.
  const known = { lobby: null, replay: null, status: null };
  const view = { shown: 0, looking: null, pace: 350, sent: null, timer: null, drawn: "", wish: null };
  let socket = null;
  let attempts = 0;

  const send = (message) => {
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const choose = (action) => {
    const { at } = known.status;
    if (view.sent === at) return; // once is enough
    view.sent = at;
    send({ type: "choose", action, at });
  };

  // -- what the page consists of --
  const parts = Object.fromEntries(["lost", "problem", "lobby", "title", "controls", "said", "board", "players",
    "choices", "hints", "ending", "moves", "legend"].map((name) => [name, element("div", { class: name })]));
  parts.lost.setAttribute("role", "status");
  parts.problem.setAttribute("role", "alert");
  parts.said.setAttribute("aria-live", "polite");
  const table = element("div", { class: "viewer play" }, parts.title, parts.controls, parts.said,
    element("div", { class: "stage" }, parts.board,
      element("div", { class: "side" }, parts.ending, parts.choices, parts.hints, parts.players, parts.moves)),
    parts.legend);
  const put = (name, ...content) => parts[name].replaceChildren(...content.flat().filter(Boolean));
  const warn = (text) => put("problem", text ? element("p", { class: "warning" }, text) : null);

  const last = () => known.replay.frames.length - 1;
  const at = () => (view.looking === null ? view.shown : view.looking);
  const turn = () => known.status.phase === "turn" && view.looking === null && view.shown === known.status.at;

  // -- drawing --
  const drawBoard = () => {
    const { replay, status } = known;
    const legal = turn() ? status.legal : null;
    const hints = legal && status.hints ? status.hints.rows : null;
    const key = JSON.stringify([at(), Boolean(legal), hints, replay.frames[at()].move]);
    if (view.drawn === key) return; // what was begun on the board goes on
    view.drawn = key;
    const scene = qpolis.scene(replay, at(), { seat: replay.seat, legal, choose, hints });
    put("board", qpolis.board(replay.game, replay.frames[at()], scene));
    put("choices", legal ? qpolis.choices(legal, choose) : null);
  };

  // -- the focus, for those who play with the keyboard: what is drawn anew gets it back --
  const first = (name) => parts[name].querySelector('input, select, button:not(:disabled), [tabindex="0"]');
  const onward = () => (turn() ? first("choices") : known.status.phase === "over" ? first("ending")
    || parts.controls.querySelector(".leave") : null);
  const wished = (focused) => {
    const part = Object.keys(parts).find((one) => parts[one].contains(focused));
    if (!part || (part !== "choices" && !focused.matches(":focus-visible"))) return null;
    if (part === "board") return () => (turn() ? first("board") || first("choices") : onward());
    if (part === "moves") return () => parts.moves.querySelector(`[data-number="${focused.dataset.number}"]`);
    if (part === "said") return () => first("said") || onward();
    if (part !== "controls" || !focused.classList.length) return onward;
    const [kind] = [...focused.classList].slice(-1);
    return () => parts.controls.querySelector(`.${kind}:not(:disabled)`) || (known.status.hinting ? null : onward());
  };
  const keepFocus = (redraw) => {
    view.wish = wished(document.activeElement) || view.wish;
    redraw();
    if (document.activeElement !== document.body) view.wish = null;
    const found = view.wish?.();
    if (!found) return; // later, perhaps
    found.focus();
    view.wish = null;
  };

  const name = (seat) => (seat === known.replay.seat ? "you" : known.replay.bots[seat]);

  const saying = () => {
    const { replay, status } = known;
    const frame = replay.frames[at()];
    if (view.looking !== null) {
      return [`Move ${at() + 1} of ${last()}: `, qpolis.seat(frame.move.seat), ` ${name(frame.move.seat)} chose `,
        element("code", {}, frame.move.text), ". ",
        element("button", { type: "button", class: "main back", onclick: () => look(null) }, "Back to the game")];
    }
    const before = at() ? replay.frames[at() - 1].move : null;
    const told = before ? [qpolis.seat(before.seat), ` ${name(before.seat)} chose `, element("code", {}, before.text),
      ". "] : [];
    if (status.phase === "over" && view.shown === last()) return [...told, element("strong", {}, "The game is over.")];
    if (turn()) return [...told, element("strong", {}, "It is your turn.")];
    if (status.phase === "starting") return ["The table is being set ..."];
    if (status.phase === "failed") return ["The game has ended."];
    const thinks = view.shown < last() ? null : status.player;
    return thinks === null || thinks === replay.seat ? told : [...told, element("span", { class: "thinks" },
      qpolis.seat(thinks), ` ${name(thinks)} thinks ...`)];
  };

  const drawControls = () => {
    const { status } = known;
    const over = ["over", "failed"].includes(status.phase);
    const button = (class_, label, tip, disabled, act) => element("button", { type: "button", class: class_, disabled,
      "data-tip": disabled ? null : tip, onclick: act }, label);
    const tip = document.getElementById("tip"); // of a button that is replaced
    if (tip) tip.remove();
    put("controls",
      status.casual && !over ? [
        button("undo", "↶ Take back", "back to your last decision", !status.undo, () => send({ type: "undo" })),
        button("hint", status.hinting ? "Searching ..." : "Hint", "what a search would do", !turn() || status.hinting
          || Boolean(status.hints), () => send({ type: "hint" }))] : null,
      element("label", {}, "bots' moves ", element("select", { class: "pace", onchange: (event) => {
        view.pace = Number(event.target.value);
        follow();
      } }, PACES.map(([label, pace]) => element("option", { value: pace, selected: pace === view.pace }, label)))),
      over ? button("main leave", "New game", null, status.saving, () => send({ type: "leave" }))
        : qpolis.twice("Leave", "It will not be saved. Leave it?", "Leave", () => send({ type: "leave" })));
  };

  const drawTable = () => {
    const { replay, status } = known;
    const over = status.phase === "over" && view.shown === last();
    replay.result = status.result;
    drawBoard();
    put("said", element("p", { class: "said" }, saying()));
    put("players", element("div", { class: "card" }, qpolis.players({ ...replay, result: over ? status.result : null,
      bots: replay.bots.map((bot, seat) => (seat === replay.seat ? `${bot} (you)` : bot)) }, at())));
    put("ending", over ? qpolis.ending(replay, status, () => send({ type: "save" })) : null);
    put("hints", turn() && status.hints ? qpolis.thoughts(status.hints, null, "What a search thinks") : null);
    const scrolled = parts.moves.firstChild ? parts.moves.firstChild.scrollTop : 0;
    put("moves", qpolis.history(replay, view.looking, look));
    const list = parts.moves.firstChild;
    list.scrollTop = view.looking === null ? list.scrollHeight : scrolled;
    table.dataset.state = turn() ? "turn" : over ? "over" : "wait"; // for programs that play here
    table.dataset.moves = view.shown;
  };

  const drawn = { controls: "", phase: null };
  const draw = () => {
    const { lobby, replay, status } = known;
    if (!lobby || !status) return;
    if (status.phase === "lobby") {
      if (drawn.phase !== "lobby") put("lobby", qpolis.lobby(lobby, send, warn));
    } else if (!replay) {
      const failed = status.phase === "failed";
      put("lobby", failed ? null : [element("p", { class: "thinks" }, "The table is being set ..."),
        element("p", { class: "note" },
          "Before the first game after an update, kernels are compiled: a minute or so.")],
      element("p", {}, element("button", { type: "button", class: "leave", onclick: () => send({ type: "leave" }) },
        failed ? "New game" : "Leave")));
    } else put("lobby");
    drawn.phase = status.phase;
    table.hidden = !replay;
    if (!replay) return;
    const key = JSON.stringify([status.phase, status.undo, status.hinting, Boolean(status.hints), status.saving, turn(),
      view.pace]);
    keepFocus(() => {
      if (drawn.controls !== key) drawControls();
      drawn.controls = key;
      drawTable();
    });
  };

  // -- which position is shown --
  const follow = () => {
    clearTimeout(view.timer);
    view.timer = null;
    if (!known.replay || view.shown === last()) return;
    view.shown = view.pace ? view.shown + 1 : last();
    if (view.pace) view.timer = setTimeout(follow, view.pace); // the next one has to wait so long
    draw();
  };
  const look = (number) => { view.looking = number; draw(); };

  // -- what the server says --
  const hear = {
    lobby: (said) => { known.lobby = said; },
    game: ({ replay }) => {
      Object.assign(view, { shown: replay ? replay.frames.length - 1 : 0, looking: null, sent: null, drawn: "" });
      known.replay = replay;
      put("title", replay ? [element("h2", {}, replay.title),
        element("p", { class: "note" }, [replay.settings, replay.heading].filter(Boolean).join("; "))] : null);
      put("legend", replay ? qpolis.legend(replay) : null);
      document.title = replay ? `${replay.title} – qpolis` : "qpolis";
    },
    frame: ({ number, move, frame }) => {
      known.replay.frames[number - 1].move = move;
      known.replay.frames[number] = frame;
      if (!view.timer) follow();
    },
    status: (said) => {
      known.status = said;
      warn(said.problem);
      draw();
    },
    error: ({ reason }) => {
      view.sent = null;
      warn(reason);
    },
  };

  const connect = () => {
    const address = new URL("ws", location.href);
    address.protocol = "ws:";
    socket = new WebSocket(address);
    socket.addEventListener("open", () => { attempts = 0; drawn.phase = null; put("lost"); });
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      hear[message.type](message);
    });
    socket.addEventListener("close", () => {
      put("lost", element("p", { class: "warning" }, "No connection: qpolis serve does not answer. Trying again ... "
        + "(If it was ended, start it anew and open the address it prints.)"));
      setTimeout(connect, RETRY[Math.min(attempts, RETRY.length - 1)]);
      attempts += 1;
    });
  };

  document.addEventListener("DOMContentLoaded", () => {
    const place = document.getElementById("play");
    if (!place) return;
    table.hidden = true;
    place.replaceChildren(parts.lost, parts.problem, parts.lobby, table);
    connect();
  });
}
