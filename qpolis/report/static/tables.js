"use strict";
// Tables with data-sortable are sorted by a click on a heading; a second click turns the order round. Cells sort by
// data-value if they have it, as numbers if all of them are, and empty ones come last.
{
  const sortValue = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value !== undefined ? cell.dataset.value : cell.textContent.trim();
  };
  const compare = (numbers) => (one, other) => {
    if (one === "" || other === "") return 0;
    return numbers ? Number(one) - Number(other) : one.localeCompare(other, undefined, { numeric: true });
  };
  const sort = (table, column, head) => {
    const rows = [...table.tBodies[0].rows];
    const values = rows.map((row) => sortValue(row, column));
    const numbers = values.every((value) => value === "" || Number.isFinite(Number(value)));
    const before = head.getAttribute("aria-sort");
    // Numbers start with the largest, words with the first.
    const down = before ? before === "ascending" : numbers;
    const order = compare(numbers);
    const sorted = rows.map((row, place) => ({ row, place, value: values[place] })).sort((one, other) => {
      if ((one.value === "") !== (other.value === "")) return one.value === "" ? 1 : -1;
      return (down ? -1 : 1) * order(one.value, other.value) || one.place - other.place;
    });
    for (const other of table.tHead.querySelectorAll("th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    table.tBodies[0].append(...sorted.map(({ row }) => row));
  };
  document.addEventListener("DOMContentLoaded", () => {
    for (const table of document.querySelectorAll("table[data-sortable]")) {
      [...table.tHead.rows[0].cells].forEach((head, column) => {
        const button = qpolis.element("button", { type: "button", class: "sort" }, [...head.childNodes]);
        button.addEventListener("click", () => sort(table, column, head));
        head.append(button);
      });
    }
  });
}
