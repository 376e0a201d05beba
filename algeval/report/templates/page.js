"use strict";
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  const value = (row, place) => {
    const text = row.cells[place].textContent;
    const number = parseFloat(text);
    return /^-?[\d.]+%?$/.test(text) && !Number.isNaN(number) ? number : text;
  };
  [...table.tHead.rows[0].cells].forEach((cell, place) => {
    const button = document.createElement("button");
    button.textContent = cell.textContent;
    button.title = "sort by this column";
    cell.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = cell.getAttribute("aria-sort") !== "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", up ? "ascending" : "descending");
      const order = (a, b) => {
        const [x, y] = [value(a, place), value(b, place)];
        const less = typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "number" ? -1 : 1;
        return up ? less : -less;
      };
      body.replaceChildren(...[...body.rows].sort(order));
    });
  });
}
