"use strict";
// The viewer of a game: `report/content/replay.py` says what a replay is. The board is drawn by the viewer of the
// game, which is an object qpolis.viewers[game] with
//
//   draw(position, scene)  an element that shows the position
//   legend(facts)          an element that explains it; facts are what the game says (Game.facts)
//
// and a scene is what else there is to know:
//
//   bots      names by seat
//   seat      whose eyes we look through, or null for everybody's
//   player    the seat to decide, or null
//   move      what is decided here ({seat, action, text}), or null
//   last      what was decided before, or null
//   recent    the same for some decisions before, the latest last
//   legal     actions to choose from ([{action, text}]), or null if nobody is asked
//   choose    function of an action, to choose it
//   details   what the game adds (Game.details)
//   hints     what a search thinks of the actions ([{action, text, visits, value}]), or null
{
  const { element, svg } = qpolis;
  // Inside a notebook the page stands in a frame without an address of its own: no link leads to a move.
  const framed = location.protocol === "about:";

  // The board of a frame. A game without a viewer shows its drawing in letters.
  qpolis.board = (game, frame, scene) => {
    const viewer = qpolis.viewers[game];
    return viewer ? viewer.draw(frame.position, scene) : element("pre", { class: "drawing" }, frame.drawing || "");
  };

  qpolis.legend = (replay) => {
    const viewer = qpolis.viewers[replay.game];
    const explained = viewer?.legend ? viewer.legend(replay.facts) : replay.legend && element("pre", {}, replay.legend);
    return explained ? element("details", { class: "legend" }, element("summary", {}, "Legend"), explained) : null;
  };

  // The attributes that make any element a button, for the pointer and the keyboard.
  qpolis.pressable = (label, act, more = {}) => ({ tabindex: 0, role: "button", "aria-label": label, onclick: act,
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act(event);
    }, ...more });

  // The hints that are marked on the board, the best first.
  qpolis.best = (scene) => (scene.hints || []).slice(0, 3);

  qpolis.seat = (seat) => element("span", { class: `seat seat${seat}` }, seat);

  qpolis.scene = (replay, number, more = {}) => {
    const frame = replay.frames[number];
    return {
      bots: replay.bots, seat: null, player: frame.player, move: frame.move,
      last: number ? replay.frames[number - 1].move : null,
      recent: replay.frames.slice(Math.max(0, number - 8), number).map((before) => before.move),
      legal: null, choose: () => {}, details: frame.details, hints: null, ...more,
    };
  };

  // Who plays, with points: if the game ended here, or at its end.
  qpolis.players = (replay, number) => {
    const frame = replay.frames[number];
    const end = replay.result && number === replay.frames.length - 1 ? replay.result : null;
    return element("ul", { class: "players" }, replay.bots.map((bot, seat) => element(
      "li", { class: frame.player === seat ? "turn" : null },
      qpolis.seat(seat), element("span", { class: "name" }, bot, frame.player === seat ? " ◂" : ""),
      element("span", { class: "points" }, end ? end.points[seat] : frame.scores[seat]),
      end ? element("span", { class: "note" }, `place ${end.ranks[seat] + 1}`
        + (["finished", "stopped"].includes(end.ends[seat]) ? "" : `, ${end.ends[seat]}`)) : null)));
  };

  // What a bot thought, the most visited actions first.
  qpolis.thoughts = (thoughts, chosen, heading) => {
    const most = Math.max(1, ...thoughts.rows.map((row) => row.visits));
    const rows = thoughts.rows.map((row) => element(
      "tr", { class: row.text === chosen ? "chosen" : null, "data-tip": `prior ${(100 * row.prior).toFixed(1)}%` },
      element("td", {}, element("span", { class: "bar", style: `width:${(100 * row.visits) / most}%` }), row.text),
      element("td", {}, row.visits.toLocaleString("en")), element("td", {}, `${(100 * row.value).toFixed(1)}%`)));
    const more = thoughts.choices - thoughts.rows.length;
    return element("div", { class: "card thoughts" },
      element("h3", {}, heading),
      element("table", {}, element("thead", {}, element("tr", {}, element("th", {}, "action"),
        element("th", {}, "visits"), element("th", { "data-tip": "share of a win it expects" }, "value"))),
      element("tbody", {}, rows)),
      more > 0 ? element("p", { class: "note" }, `and ${more} more`) : null,
      thoughts.same ? null : element("p", { class: "note" },
        "Thought through again for this page: in the game it chose something else."));
  };

  // Heights moved as little as needed for numbers that stand there not to touch.
  const apart = (heights, most, size = 10) => {
    const moved = heights.map((height, seat) => ({ height, seat })).sort((one, other) => one.height - other.height);
    const limit = (place) => most - size / 2 - size * (moved.length - 1 - place);
    moved.forEach((one, place) => {
      const least = place ? moved[place - 1].height + size : size / 2;
      one.height = Math.min(Math.max(one.height, least), limit(place));
    });
    return heights.map((_, seat) => moved.find((one) => one.seat === seat).height);
  };

  // Points over the game as lines, one a seat; a click goes there.
  const curve = (replay, go) => {
    const [width, height, edge, right] = [280, 70, 4, 14]; // on the right stand the numbers of the seats
    const long = width - edge - right;
    const last = Math.max(1, replay.frames.length - 1);
    const all = replay.frames.flatMap((frame) => frame.scores);
    const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
    const x = (place) => edge + (long * place) / last;
    const y = (points) => height - edge - ((height - 2 * edge) * (points - low)) / (high - low);
    const dashes = ["", "6 2", "2 2", "8 2 2 2"];
    const cursor = svg("line", { y1: 0, y2: height, stroke: "var(--accent)", "stroke-width": 1.5 });
    const drawn = svg("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": "points if the game ended there" },
    svg("line", { x1: edge, x2: width - right, y1: y(0), y2: y(0), stroke: "var(--line)" }),
    replay.bots.map((_, seat) => svg("polyline", { fill: "none", stroke: `var(--seat${seat})`, "stroke-width": 1.8,
      "stroke-dasharray": dashes[seat],
      points: replay.frames.map(({ scores }, place) => [x(place), y(scores[seat])].map((n) => n.toFixed(1)))
        .join(" ") })),
    apart(replay.frames[replay.frames.length - 1].scores.map(y), height).map((place, seat) =>
      svg("text", { x: width - right + 4, y: place + 3.5 }, seat)),
    cursor);
    drawn.addEventListener("click", (event) => {
      const box = drawn.getBoundingClientRect();
      go(Math.round((((event.clientX - box.left) / box.width) * width - edge) / (long / last)));
    });
    return { drawn, mark: (place) => { cursor.setAttribute("x1", x(place)); cursor.setAttribute("x2", x(place)); } };
  };

  const chapters = (replay) => replay.frames.map((frame, number) => ({ name: frame.chapter, number }))
    .filter(({ name }, place) => name && (!place || replay.frames[place - 1].chapter !== name));

  const moveList = (replay, anchor) => replay.frames.map((frame, number) => [
    frame.chapter && (!number || replay.frames[number - 1].chapter !== frame.chapter)
      ? element("h4", {}, frame.chapter) : null,
    element("a", { href: `#${anchor}move-${number}`, "data-number": number },
      frame.move ? [qpolis.seat(frame.move.seat), " ", frame.move.text] : "the end")]);

  // A viewer of a replay. `anchor` stands before the links to its moves.
  qpolis.viewer = (replay, anchor = "") => {
    let at = -1;
    let timer = null;
    const last = replay.frames.length - 1;
    const starts = chapters(replay);
    const board = element("div", { class: "board" });
    const said = element("p", { class: "said", "aria-live": "polite" });
    const players = element("div", { class: "card" });
    const mind = element("div", {});
    const slider = element("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "position" });
    const jump = element("select", { "aria-label": "jump to" },
      starts.map(({ name, number }) => element("option", { value: number }, name)));
    const moves = element("div", { class: "card moves", onclick: (event) => {
      const link = event.target.closest("[data-number]");
      if (!framed || !link) return;
      event.preventDefault();
      stop();
      go(link.dataset.number);
    } }, moveList(replay, anchor));

    const stop = () => { clearInterval(timer); timer = null; play.textContent = "▶ play"; };
    // What is thought here. Where nobody thinks, its room is kept: nothing below it jumps while one steps.
    let room = 0;
    const think = (frame) => {
      mind.style.minHeight = `${room}px`;
      mind.replaceChildren(...(frame.thoughts
        ? [qpolis.thoughts(frame.thoughts, frame.move.text, `What ${replay.bots[frame.move.seat]} thinks`)]
        : room ? [element("p", { class: "note" }, "Nothing was searched here.")] : []));
      room = Math.max(room, mind.offsetHeight);
    };
    const show = () => {
      const frame = replay.frames[at];
      board.replaceChildren(qpolis.board(replay.game, frame, qpolis.scene(replay, at)));
      players.replaceChildren(qpolis.players(replay, at));
      said.replaceChildren(`${at} of ${last}${frame.chapter ? `, ${frame.chapter}` : ""}: `, ...(frame.move
        ? [qpolis.seat(frame.move.seat), ` ${replay.bots[frame.move.seat]} chooses `,
          element("code", {}, frame.move.text)] : ["the end", ...ending(replay)]));
      think(frame);
      points.mark(at);
      slider.value = at;
      const begun = starts.filter(({ number }) => number <= at).pop();
      if (begun) jump.value = begun.number;
      for (const link of moves.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
      const here = moves.querySelector(`[data-number="${at}"]`);
      here.setAttribute("aria-current", "step");
      moves.scrollTop = here.offsetTop - moves.clientHeight / 2;
    };
    const go = (number) => {
      const wanted = Math.max(0, Math.min(last, Number(number) || 0));
      if (wanted === at) return;
      at = wanted;
      show();
      if (!framed) history.replaceState(null, "", `#${anchor}move-${at}`);
    };
    const chapter = (step) => {
      const places = starts.map(({ number }) => number);
      const next = step > 0 ? places.find((number) => number > at) : places.filter((number) => number < at).pop();
      go(next === undefined ? (step > 0 ? last : 0) : next);
    };
    const toggle = () => {
      if (timer) return stop();
      if (at === last) go(0);
      play.textContent = "❚❚ pause";
      timer = setInterval(() => { if (at === last) stop(); else go(at + 1); }, 900);
    };
    const button = (label, tip, act) => element("button", { type: "button", "aria-label": tip, "data-tip": tip,
      onclick: () => { stop(); act(); } }, label);
    const play = element("button", { type: "button", class: "play", onclick: toggle }, "▶ play");
    const copy = element("button", { type: "button", "data-tip": "a link to this move", onclick: async () => {
      const done = await navigator.clipboard.writeText(location.href).then(() => true, () => false);
      copy.textContent = done ? "copied" : "see the address bar";
      setTimeout(() => { copy.textContent = "copy link"; }, 1500);
    } }, "copy link");
    slider.addEventListener("input", () => { stop(); go(slider.value); });
    jump.addEventListener("change", () => { stop(); go(jump.value); });
    const points = curve(replay, (number) => { stop(); go(number); });

    const keys = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(last),
      PageUp: () => chapter(-1), PageDown: () => chapter(1) };
    const press = (event) => {
      if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target.matches?.("select, textarea, input:not([type=range])")) return;
      const box = whole.getBoundingClientRect();
      if (box.bottom < 0 || box.top > innerHeight) return; // out of sight, in a longer page
      event.preventDefault();
      stop();
      keys[event.key]();
    };
    document.addEventListener("keydown", press);

    const whole = element("div", { class: "viewer" },
      element("p", { class: "lead" }, replay.heading),
      element("div", { class: "controls" },
        button("|◀", "start (Home)", () => go(0)), button("◀", "back (←)", () => go(at - 1)),
        button("▶", "forward (→)", () => go(at + 1)), button("▶|", "end (End)", () => go(last)), play, slider,
        starts.length > 1 ? jump : null, framed ? null : copy),
      said,
      element("div", { class: "stage" }, board,
        element("div", { class: "side" }, players, element("div", { class: "card" },
          element("h3", {}, "Points, if the game ended there"), points.drawn), mind, moves)),
      qpolis.legend(replay));
    return { whole, go, at: () => at, close: () => { stop(); document.removeEventListener("keydown", press); } };
  };

  const ending = (replay) => {
    if (!replay.result) return [];
    return replay.result.reasons.flatMap((reason, seat) => (reason
      ? [". ", qpolis.seat(seat), ` ${replay.bots[seat]} forfeits (${replay.result.ends[seat]}): ${reason}`] : []));
  };

  // A page of one game: its replay is the data block `replay`.
  document.addEventListener("DOMContentLoaded", async () => {
    const place = document.getElementById("viewer");
    const packed = qpolis.data("replay");
    if (!place || !packed) return;
    const viewer = qpolis.viewer(await qpolis.unpack(packed));
    const follow = () => viewer.go((location.hash.match(/^#move-(\d+)$/) || [0, 0])[1]);
    place.replaceChildren(viewer.whole);
    follow();
    addEventListener("hashchange", follow);
  });
}
