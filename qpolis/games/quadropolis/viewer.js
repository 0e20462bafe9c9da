"use strict";
// The viewer of Quadropolis: the construction site, the cities, and the points. Where actions can be chosen, an element
// that chooses one has data-action, and one that only narrows the choice data-step.
{
  const { element } = qpolis;
  const { NAMES, icon, picture, meaning, site, city } = qpolis.quadropolis;

  const STYLE = `
    .quadropolis { container-type: inline-size; }
    .quadropolis .field {
      display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: .8rem; align-items: start;
    }
    .quadropolis .field.classic.of2.going { grid-template-columns: minmax(0, 1.36fr) minmax(0, 1fr); }
    .quadropolis .part:has(table.broad) { grid-column: 1 / -1; }
    .quadropolis .part { display: flex; flex-direction: column; gap: .8rem; min-width: 0; }
    .quadropolis svg.scene { overflow: visible; }
    .quadropolis .told { min-height: 3em; margin: 0; font-size: .9rem; }
    .quadropolis table { width: 100%; font-size: .88rem; }
    .quadropolis th, .quadropolis td { padding: .15rem .25rem; text-align: center; font-weight: 400; }
    .quadropolis th:first-child { text-align: left; }
    .quadropolis thead th { white-space: normal; }
    .quadropolis table.broad thead .name { display: block; }
    .quadropolis .wide { margin: 0; }
    .quadropolis caption { text-align: left; color: var(--grey); font-size: .9rem; }
    .quadropolis table.legend td, .quadropolis table.legend th { text-align: left; padding: .25rem .5rem; }
    .quadropolis table.offices { width: auto; margin: .2rem 0; }
    .quadropolis table.legend .offices :is(th, td) { text-align: right; padding: 0 .5rem; }
    .quadropolis td.zero { color: var(--grey); }
    .quadropolis svg.icon { display: inline-block; width: 1.6rem; height: 1.6rem; vertical-align: middle; }
    .quadropolis .pick { cursor: pointer; }
    .quadropolis .pick:hover .ring, .quadropolis .pick:focus-visible .ring { stroke-width: 4; }
    .quadropolis .pick:focus { outline: none; }
    .quadropolis .pick:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    @container (max-width: 620px) {
      .quadropolis table.broad thead .name { display: none; }
      .quadropolis table.broad th, .quadropolis table.broad td { padding: .15rem .1rem; }
      .quadropolis .part { display: contents; }
      .quadropolis .field .other { order: 1; }
      .quadropolis .field.going .wide { order: 9; }
      .quadropolis .field, .quadropolis .field.classic.of2.going { grid-template-columns: minmax(0, 1fr); }
    }`;

  // The best of the hints by action, with their places.
  const ranked = (scene) => qpolis.best(scene).map((hint, place) => ({ ...meaning(hint),
    rank: `#${place + 1}`, told: `hint ${place + 1}: ${hint.text}, ${(100 * hint.value).toFixed(0)}% of a win` }));

  // -- the points --------------------------------------------------------------------------------------------

  // Points by type of building: a table with a column for each seat, or a broad one with a line for each seat.
  const points = (table, broad) => {
    if (!table.seats.length) return null;
    const best = Math.max(...table.seats.map((seat) => seat.total));
    const heads = [null, ...table.kinds.map((type) => [icon(24, picture(type, 0, 0, 24)), " ",
      element("span", { class: "name" }, NAMES[type])]), "left over", element("strong", {}, "sum")];
    const columns = table.seats.map((seat, number) => [qpolis.seat(number),
      ...table.kinds.map((type) => seat.points[type]), seat.penalties,
      element(seat.total === best ? "strong" : "span", { "data-total": number }, seat.total)]);
    const lines = broad ? [heads.map((head, line) => (line ? head : "seat")), ...columns]
      : heads.map((head, line) => [line ? head : "building", ...columns.map((column) => column[line])]);
    const [first, ...others] = lines.map((line, row) => element("tr", {}, line.map((content, place) =>
      element(row && place ? "td" : "th", { class: content === 0 ? "zero" : null }, content))));
    return element("div", { class: "wide" }, element("table", { class: `points ${broad ? "broad" : "tall"}` },
      element("caption", {}, table.position.player === null ? "Points by building" : "Points, if the game ended here"),
      element("thead", {}, first), element("tbody", {}, others)));
  };

  // -- everything --------------------------------------------------------------------------------------------

  const asked = (table) => {
    const { position } = table;
    if (position.player === null) return "";
    const round = `Round ${position.round}${table.rounds ? ` of ${table.rounds}` : ""}`;
    const when = `${round}, turn ${position.turn} of 4, seat ${position.first} began. `;
    if (table.places.length) return `${when}Place the ${NAMES[position.held.tile.type]} in the city, or discard it.`;
    if (table.takes.length && table.number === null) return `${when}Choose an architect.`;
    if (table.takes.length) return `${when}Choose where architect ${table.number} stands, or what it takes.`;
    if (position.held) return `${when}Architect ${position.held.architect} took ${NAMES[position.held.tile.type]}.`;
    const { last } = table.scene;
    return when + (last && last.text === "discard" ? `Seat ${last.seat} discarded its tile.` : "");
  };

  // What is known while a position is drawn. `chosen`: the architect and the square that the reader picked so far.
  const survey = (position, scene, chosen) => {
    const details = scene.details || {};
    const legal = (scene.legal || []).map(meaning);
    const takes = legal.filter((one) => one.post);
    const numbers = [...new Set(takes.map((take) => take.number))];
    const columns = details.columns || position.cities[0].length / 4;
    const table = {
      position, scene, columns, takes, numbers, places: legal.filter((one) => !one.post), hints: ranked(scene),
      number: numbers.length === 1 ? numbers[0] : chosen.number, square: chosen.square,
      districts: details.districts || position.cities[0].map(() => 1), squareNumbers: details.numbers || null,
      kinds: details.kinds || [], rounds: details.rounds, seats: details.seats || [],
    };
    table.asks = asked(table);
    return table;
  };

  // The parts of the drawing, in one or two columns.
  const parts = (table) => {
    const cities = table.position.cities.map((_, seat) => city(table, seat));
    if (table.position.player === null) return [points(table, true), ...cities];
    if (cities.length === 2) return [[site(table), points(table, false)], cities];
    if (cities.length === 3) return [site(table), ...cities, points(table, true)];
    return [site(table), points(table, false), ...cities];
  };

  const draw = (position, scene) => {
    const whole = element("div", { class: "quadropolis" });
    const chosen = { number: null, square: null };
    const show = () => {
      const table = survey(position, scene, chosen);
      const again = (step) => {
        show();
        const drawn = whole.querySelector(`[data-step="${step}"]`);
        if (drawn) drawn.focus();
      };
      table.choose = (action) => scene.choose(action);
      table.select = (number) => { Object.assign(chosen, { number, square: null }); again(`architect-${number}`); };
      table.aim = (square) => { chosen.square = square; again(`square-${square}`); };
      const made = parts(table).map((part) => element("div", { class: "part" }, part));
      const kind = `${position.mode} of${position.players} ${position.player === null ? "over" : "going"}`;
      whole.replaceChildren(element("style", {}, STYLE), element("div", { class: `field ${kind}` }, made));
    };
    show();
    return whole;
  };

  const legend = (facts) =>
    element("div", { class: "quadropolis" }, element("style", {}, STYLE), qpolis.quadropolis.legend(facts));

  qpolis.viewers.quadropolis = { draw, legend };
}
