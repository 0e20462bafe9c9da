"use strict";
// The parts of the table at which a person plays: what can be chosen, what was decided, how it ended.
{
  const { element } = qpolis;
  const MANY = 8; // choices from which on they can be filtered

  // All legal moves as a list, for the keyboard and for games whose boards cannot be clicked.
  qpolis.choices = (legal, choose) => {
    const list = element("select", { class: "choices", size: Math.min(9, Math.max(2, legal.length)),
      "aria-label": "legal moves" });
    const button = element("button", { class: "main", type: "submit", disabled: true }, "Play this");
    const count = element("span", { class: "note", "aria-live": "polite" });
    const update = () => { button.disabled = list.selectedIndex < 0; };
    const fill = (words) => {
      const left = legal.filter(({ text }) => text.toLowerCase().includes(words.trim().toLowerCase()));
      list.replaceChildren(...left.map(({ action, text }) => element("option", { value: action }, text)));
      list.selectedIndex = left.length === 1 ? 0 : -1;
      count.textContent = words ? `${left.length} of ${legal.length}` : "";
      update();
    };
    const filter = element("input", { type: "search", placeholder: "filter", "aria-label": "filter the moves",
      autocomplete: "off", oninput: () => fill(filter.value) });
    const send = () => { if (list.selectedIndex >= 0) choose(Number(list.value)); };
    list.addEventListener("change", update);
    list.addEventListener("dblclick", send);
    list.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); send(); } });
    fill("");
    return element("form", { class: "card choose", onsubmit: (event) => { event.preventDefault(); send(); } },
      element("h3", {}, `Your move: ${legal.length} ${legal.length === 1 ? "choice" : "choices"}`),
      legal.length > MANY ? element("p", { class: "filter" }, filter, " ", count) : null,
      list, element("p", {}, button));
  };

  // What was decided so far; a click looks at the position before a decision.
  qpolis.history = (replay, shown, look) => element("div", { class: "card moves" },
    element("h3", {}, "Moves"),
    replay.frames.length > 1 ? null : element("p", { class: "note" }, "none yet"),
    element("ol", {}, replay.frames.slice(0, -1).map((frame, number) => [
      frame.chapter && (!number || replay.frames[number - 1].chapter !== frame.chapter)
        ? element("li", { class: "chapter" }, frame.chapter) : null,
      element("li", {}, element("button", { type: "button", class: "move", "data-number": number,
        "aria-current": number === shown ? "step" : null, "data-tip": "look at the position before it",
        onclick: () => look(number) }, qpolis.seat(frame.move.seat), " ", frame.move.text))])));

  const place = (rank) => ["first", "second", "third", "fourth"][rank] || `number ${rank + 1}`;

  const amount = (points) => (points === 1 ? "1 point" : `${points} points`);

  // How the game ended, where it was saved, and what can be done with it.
  qpolis.ending = (replay, status, save) => {
    const { result } = replay;
    const mine = result.ranks[replay.seat];
    const shared = result.ranks.filter((rank) => rank === mine).length > 1;
    const words = mine ? `You are ${place(mine)}` : shared ? "You share the first place" : "You win";
    return element("div", { class: "card ending" },
      element("h3", {}, `${words}, with ${amount(result.points[replay.seat])}.`),
      result.reasons.map((reason, seat) => (reason ? element("p", {}, qpolis.seat(seat),
        ` ${replay.bots[seat]} forfeits (${result.ends[seat]}): ${reason}`) : null)),
      status.seed === null ? null : element("p", { class: "note" }, "seed ", element("code", {}, status.seed)),
      status.saving ? element("p", { class: "note" }, "The game is being saved ...") : null,
      status.saved ? [element("p", {}, "Saved to ", element("code", {}, status.saved), "."),
        element("ul", { class: "commands" }, ["watch DIR --game 0 --open", "replay DIR --game 0", "verify DIR"].map(
          (command) => element("li", {}, element("code", {}, `qpolis ${command.replace("DIR", () => status.saved)}`))))]
        : null,
      status.saving || status.saved ? null : element("p", {},
        element("button", { type: "button", class: "save", onclick: save }, "Try to save again")));
  };

  // A button that asks once more before it does what cannot be undone.
  qpolis.twice = (label, question, yes, act) => {
    const whole = element("span", { class: "twice" });
    const ask = () => {
      const sure = element("button", { type: "button", class: "sure", onclick: act }, yes);
      whole.replaceChildren(element("span", {}, question, " "), sure, " ",
        element("button", { type: "button", onclick: reset }, "No"));
      sure.focus();
    };
    const first = element("button", { type: "button", class: "leave", onclick: ask }, label);
    const reset = () => whole.replaceChildren(first);
    reset();
    return whole;
  };
}
