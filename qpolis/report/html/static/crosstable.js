"use strict";
// Of the cell that is pointed at: its row and its column are marked, and its tip gets the names of both.
{
  const named = (table, cell) => {
    if (!cell || !cell.dataset.said || cell.dataset.tip) return;
    const [row, column] = [cell.parentNode.cells[0], table.tHead.rows[0].cells[cell.cellIndex]];
    cell.dataset.tip = `${row.dataset.name} ahead of ${column.dataset.name} ${cell.dataset.said}`;
  };
  const light = (table, cell) => {
    for (const lit of table.querySelectorAll(".lit")) lit.classList.remove("lit");
    if (!cell || !cell.closest("tbody") || cell.cellIndex === 0) return;
    for (const row of table.rows) row.cells[cell.cellIndex].classList.add("lit");
    for (const other of cell.parentNode.cells) other.classList.add("lit");
  };
  document.addEventListener("DOMContentLoaded", () => {
    for (const table of document.querySelectorAll("table.cross")) {
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
