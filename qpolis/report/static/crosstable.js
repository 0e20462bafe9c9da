"use strict";
// Of the cell that is pointed at: its row and its column are marked, and its tip gets the names of both. For the
// keyboard, the table is one stop: arrows go from cell to cell.
{
  const named = (table, cell) => {
    if (!cell?.dataset.said || cell.dataset.tip) return;
    const [row, column] = [cell.parentNode.cells[0], table.tHead.rows[0].cells[cell.cellIndex]];
    cell.dataset.tip = `${row.dataset.name} ahead of ${column.dataset.name} ${cell.dataset.said}`;
  };
  const light = (table, cell) => {
    for (const lit of table.querySelectorAll(".lit")) lit.classList.remove("lit");
    if (!cell?.closest("tbody") || cell.cellIndex === 0) return;
    for (const row of table.rows) row.cells[cell.cellIndex].classList.add("lit");
    for (const other of cell.parentNode.cells) other.classList.add("lit");
  };
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const next = (cell, [down, along]) => {
    let [row, column] = [cell.parentNode, cell.cellIndex + along];
    if (down) row = down > 0 ? row.nextElementSibling : row.previousElementSibling;
    while (row?.cells[column] && !row.cells[column].dataset.said) { // the diagonal, and who never met
      if (down) row = down > 0 ? row.nextElementSibling : row.previousElementSibling;
      column += along;
    }
    return row?.cells[column];
  };
  const walk = (table) => {
    const cells = [...table.querySelectorAll("td[data-said]")];
    for (const cell of cells) cell.tabIndex = cell === cells[0] ? 0 : -1;
    table.addEventListener("focusin", (event) => {
      if (!event.target.matches("td[data-said]")) return;
      for (const cell of table.querySelectorAll('td[tabindex="0"]')) cell.tabIndex = -1;
      event.target.tabIndex = 0;
    });
    table.addEventListener("keydown", (event) => {
      if (!STEPS[event.key] || !event.target.matches("td[data-said]")) return;
      event.preventDefault();
      event.stopPropagation(); // not also a step of a game that is open below
      const other = next(event.target, STEPS[event.key]);
      if (other) other.focus();
    });
  };
  document.addEventListener("DOMContentLoaded", () => {
    for (const table of document.querySelectorAll("table.cross")) {
      walk(table);
      for (const kind of ["mouseover", "focusin"]) {
        table.addEventListener(kind, (event) => {
          const cell = event.target.closest("td");
          named(table, cell); // before the tip is shown, which the document does
          light(table, cell);
        });
      }
      for (const kind of ["mouseleave", "focusout"]) table.addEventListener(kind, () => light(table, null));
    }
  });
}
