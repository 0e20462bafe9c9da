"use strict";
// The form of a new game. What was chosen last is kept, so that the next game starts from it.
{
  const { element } = qpolis;
  const OTHER = ""; // in the list of bots: the text beside it says it all
  const chosen = { game: null, options: {}, me: 0, seats: [], seed: "", casual: true };

  const field = (label, control, note) => element("label", { class: "field" },
    element("span", { class: "label" }, label), control, note ? element("span", { class: "note" }, note) : null);

  const spec = (seat) => [seat.bot, seat.more.trim()].filter(Boolean).join(":");

  // Seats by what is chosen: an option called players says how many, or else the game does.
  const seatsOf = (game) => Number(chosen.options.players || 0) || game.players;

  const optionField = (option, redraw) => {
    const value = chosen.options[option.name];
    const set = (event) => { chosen.options[option.name] = event.target.value; redraw(); };
    const control = option.choices.length
      ? element("select", { name: option.name, onchange: set }, option.choices.map((choice) =>
        element("option", { value: choice, selected: choice === value }, choice)))
      : element("input", { name: option.name, value, autocomplete: "off",
        onchange: (event) => { chosen.options[option.name] = event.target.value; } });
    return field(option.name, control, option.help);
  };

  const gameFields = (lobby, game, redraw) => element("fieldset", {}, element("legend", {}, "The game"),
    field("game", element("select", { name: "game", onchange: (event) => {
      chosen.game = event.target.value;
      chosen.options = {};
      redraw();
    } }, lobby.games.map((one) => element("option", { value: one.name, selected: one === game }, one.title)))),
    game.options.map((option) => optionField(option, redraw)));

  const hintAt = (bot) => (bot ? bot.parameters.slice(0, 1).map((one) => `${one.name}=${one.default}`).join("") : "");

  // A seat: you, or a bot from the list with its parameters, or any other by its spec.
  const seatRow = (lobby, number, redraw) => {
    const seat = chosen.seats[number];
    const mine = chosen.me === number;
    const bot = lobby.bots.find((one) => one.spec === seat.bot);
    const me = element("input", { type: "radio", name: "me", value: number, checked: mine,
      "aria-label": `you take seat ${number}`, onchange: () => { chosen.me = number; redraw(); } });
    const list = element("select", { "aria-label": `bot at seat ${number}`, name: `bot${number}`,
      onchange: (event) => { chosen.seats[number] = { bot: event.target.value, more: "" }; redraw(); } },
    lobby.bots.map((one) => element("option", { value: one.spec, selected: one.spec === seat.bot }, one.spec)),
    element("option", { value: OTHER, selected: seat.bot === OTHER }, "another ..."));
    const more = element("input", { "aria-label": `parameters of the bot at seat ${number}`, name: `more${number}`,
      value: seat.more, autocomplete: "off", spellcheck: "false",
      placeholder: seat.bot === OTHER ? "./my_bot.py" : hintAt(bot),
      oninput: (event) => { seat.more = event.target.value; } });
    return element("tr", {}, element("td", {}, qpolis.seat(number)),
      element("td", {}, element("label", { class: "me" }, me, " you")),
      element("td", { class: "words" }, mine ? null : [list, " ", bot && !bot.parameters.length ? null : more]),
      element("td", { class: "words note" }, mine ? null : bot ? bot.help : "a path such as ./my_bot.py"));
  };

  const seatFields = (lobby, redraw) => element("fieldset", {}, element("legend", {}, "The seats"),
    element("div", { class: "wide" }, element("table", { class: "seats" },
      element("tbody", {}, chosen.seats.map((_, number) => seatRow(lobby, number, redraw))))),
    element("details", {}, element("summary", {}, "Parameters of the bots"), element("dl", { class: "bots" },
      lobby.bots.filter((bot) => bot.parameters.length).map((bot) => [element("dt", {}, element("code", {}, bot.spec)),
        bot.parameters.map((one) => element("dd", {}, element("code", {}, `${one.name}=${one.default}`),
          ` ${[one.help, one.range].filter(Boolean).join("; ")}`))])),
    element("p", { class: "note" }, "Several are joined by colons: ", element("code", {}, "sims=200:explore=0.5"))));

  const moreFields = () => element("fieldset", {}, element("legend", {}, "How it is played"),
    field("seed", element("input", { name: "seed", value: chosen.seed, inputmode: "numeric", autocomplete: "off",
      placeholder: "random", oninput: (event) => { chosen.seed = event.target.value; } }),
    "names the deal: the same seed and the same decisions give the same game"),
    element("label", { class: "check" }, element("input", { type: "checkbox", name: "casual", checked: chosen.casual,
      onchange: (event) => { chosen.casual = event.target.checked; } }),
    element("span", {}, element("strong", {}, "casual"), " – you may take back decisions and ask for hints. ",
      element("span", { class: "note" }, "Without it every decision stands, as in a tournament."))));

  const message = (say) => {
    const seed = chosen.seed.trim();
    if (seed && !/^\d{1,39}$/.test(seed)) {
      return say(`The seed ${seed} is not a whole number of at most 39 digits.`);
    }
    return { type: "new", game: chosen.game, options: { ...chosen.options }, casual: chosen.casual,
      seed: seed || null, // its digits: numbers are not that large here
      seats: chosen.seats.map((seat, number) => (number === chosen.me ? null : spec(seat))) };
  };

  const complete = (lobby) => {
    const game = lobby.games.find((one) => one.name === chosen.game) || lobby.games[0];
    chosen.game = game.name;
    chosen.options = Object.fromEntries(game.options.map((one) => [one.name, chosen.options[one.name] ?? one.default]));
    const bot = lobby.bots.some((one) => one.spec === "greedy") ? "greedy" : lobby.bots[0].spec;
    const count = seatsOf(game);
    chosen.seats = Array.from({ length: count }, (_, number) => chosen.seats[number] || { bot, more: "" });
    chosen.me = Math.min(chosen.me, count - 1);
    return game;
  };

  // The whole form. `start` is given the message of a new game, `say` what is wrong before it is sent.
  qpolis.lobby = (lobby, start, say) => {
    const whole = element("form", { class: "lobby" });
    const redraw = () => {
      const focused = document.activeElement && whole.contains(document.activeElement) ? document.activeElement : null;
      const game = complete(lobby);
      whole.replaceChildren(gameFields(lobby, game, redraw), seatFields(lobby, redraw), moreFields(),
        element("p", {}, element("button", { class: "main", type: "submit" }, "Start the game")));
      const value = focused && focused.type === "radio" ? `[value="${CSS.escape(focused.value)}"]` : "";
      const again = focused?.name && whole.querySelector(`[name="${CSS.escape(focused.name)}"]${value}`);
      if (again) again.focus();
    };
    whole.addEventListener("submit", (event) => {
      event.preventDefault();
      const made = message((problem) => { say(problem); return null; });
      if (made) start(made);
    });
    redraw();
    return whole;
  };
}
