"use strict";
// The row and the column of the cell that is pointed at.
{
  const light = (table, cell) => {
    for (const lit of table.querySelectorAll(".lit")) lit.classList.remove("lit");
    if (!cell || !cell.closest("tbody") || cell.cellIndex === 0) return;
    for (const row of table.rows) row.cells[cell.cellIndex].classList.add("lit");
    for (const other of cell.parentNode.cells) other.classList.add("lit");
  };
  document.addEventListener("DOMContentLoaded", () => {
    for (const table of document.querySelectorAll("table.cross")) {
      for (const kind of ["mouseover", "focusin"]) {
        table.addEventListener(kind, (event) => light(table, event.target.closest("td")));
      }
      for (const kind of ["mouseleave", "focusout"]) table.addEventListener(kind, () => light(table, null));
    }
  });
}
