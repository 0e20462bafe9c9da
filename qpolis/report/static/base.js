"use strict";
// What all pages share. Elements are made here and nowhere else, and texts become text nodes: nothing that a bot, a run
// or a file is called can become markup.
const qpolis = { viewers: {} };

{
  const fill = (made, attributes, children) => {
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (typeof value === "function") made.addEventListener(key.replace(/^on/, ""), value);
      else made.setAttribute(key, value === true ? "" : String(value));
    }
    made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))));
    return made;
  };
  // qpolis.element("button", { class: "main", onclick: () => ... }, "Play", ...)
  qpolis.element = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
  // The same for drawings.
  qpolis.svg = (name, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
  // The same attributes for an element that is there.
  qpolis.give = (made, attributes) => fill(made, attributes, []);
}

// The data block of the page with this name, or null.
qpolis.data = (name) => {
  const block = document.getElementById(name);
  return block ? JSON.parse(block.textContent) : null;
};

// What `packed` made a text of: a promise of the data.
qpolis.unpack = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};

// The dark and the light page: as the system says, or as the reader chose.
qpolis.theme = () => {
  const button = qpolis.element("button", { class: "theme", type: "button", title: "light or dark",
    "aria-label": "light or dark" }, "◐");
  button.addEventListener("click", () => {
    const shown = document.documentElement.dataset.theme
      || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = shown === "dark" ? "light" : "dark";
  });
  return button;
};

// A small text beside the pointer, or the focus, for every element with data-tip. A click ends it, and so does Escape.
{
  let tip = null;
  let clicked = ""; // where: what is drawn anew under a pointer that rests there says nothing
  const where = (event) => `${event.clientX} ${event.clientY}`;
  const hide = () => { if (tip) tip.remove(); tip = null; };
  const show = (event) => {
    const marked = event.target.closest?.("[data-tip]");
    hide();
    if (!marked || (event.type === "mouseover" ? where(event) === clicked : !marked.matches(":focus-visible"))) return;
    tip = qpolis.element("div", { id: "tip", role: "status" }, marked.dataset.tip);
    document.body.append(tip);
    const box = marked.getBoundingClientRect();
    const left = Math.min(box.left + scrollX, scrollX + document.documentElement.clientWidth - tip.offsetWidth - 8);
    const above = box.top - tip.offsetHeight - 6;
    tip.style.left = `${Math.max(left, 4)}px`;
    tip.style.top = `${scrollY + (above > 0 ? above : box.bottom + 6)}px`;
  };
  document.addEventListener("mouseover", show);
  document.addEventListener("focusin", show);
  document.addEventListener("mouseout", hide);
  document.addEventListener("focusout", hide);
  document.addEventListener("click", (event) => { clicked = where(event); hide(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
}

document.addEventListener("DOMContentLoaded", () => document.body.prepend(qpolis.theme()));
