"use strict";
// Games inside a report: their replays are data blocks `replay-N`, unpacked when they are opened. `#game-17` opens
// game 17 below the table, `#game-17-move-5` at a move; the address follows the moves.
{
  const { element } = qpolis;
  let open = null; // { number, viewer }
  let asked = 0; // how often a game was asked for: one that comes late is not shown

  const shut = (place) => {
    if (open) open.viewer.close();
    open = null;
    place.hidden = true;
    place.replaceChildren();
    mark(null);
  };

  const mark = (number) => {
    for (const row of document.querySelectorAll("table.games tr[aria-current]")) row.removeAttribute("aria-current");
    const link = number === null ? null : document.querySelector(`table.games a[href="#game-${number}"]`);
    if (link) link.closest("tr").setAttribute("aria-current", "true");
  };

  const look = (place) => place.scrollIntoView({ block: "start", behavior: "instant" });

  const show = async (place, number, move) => {
    const turn = ++asked;
    const packed = qpolis.data(`replay-${number}`);
    const replay = packed && await qpolis.unpack(packed);
    if (turn !== asked) return;
    shut(place);
    if (!replay) {
      place.append(element("p", {}, `Game ${number} is not in this page.`));
      place.hidden = false;
      look(place);
      return;
    }
    const viewer = qpolis.viewer(replay, `game-${number}-`);
    const end = element("button", { type: "button", class: "shut screen", onclick: () => {
      shut(place);
      history.replaceState(null, "", "#games");
    } }, "close");
    open = { number, viewer };
    place.append(end, viewer.whole);
    place.hidden = false;
    mark(number);
    viewer.go(move);
    look(place);
  };

  document.addEventListener("DOMContentLoaded", () => {
    const place = document.getElementById("game");
    if (!place) return;
    const follow = async () => {
      const found = location.hash.match(/^#game-(\d+)(?:-move-(\d+))?$/);
      if (!found) return;
      const [number, move] = [Number(found[1]), found[2] || 0];
      if (open && open.number === number) open.viewer.go(move);
      else await show(place, number, move);
    };
    addEventListener("hashchange", follow);
    // A link to the game that is open leads to its start, even if the address says so already.
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.('a[href^="#game-"]');
      if (link && link.hash === location.hash) follow().then(() => look(place));
    });
    follow();
  });
}
