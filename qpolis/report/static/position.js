"use strict";
// One position by itself, as notebooks show it: the data block `shown` is a replay of one frame.
document.addEventListener("DOMContentLoaded", async () => {
  const place = document.getElementById("position");
  const replay = await qpolis.unpack(qpolis.data("shown"));
  place.replaceChildren(
    qpolis.players(replay, 0),
    qpolis.element("div", { class: "board" }, qpolis.board(replay.game, replay.frames[0], qpolis.scene(replay, 0))),
    qpolis.legend(replay) || "");
});
