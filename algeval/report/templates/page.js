"use strict";
// Every text of the data goes through textContent or append, never through markup.

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// --- Tables: sort by a column, keep the rows that hold a text.

const collator = new Intl.Collator("en", { numeric: true });
const EMPTY = /^[-\u2013\u2014\s]*$/;

const numberIn = (text) => {
  const found = /^\s*[<>~\u2264\u2265]?\s*([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)(?![\w.])/.exec(text);
  return found && /\d/.test(found[1]) ? parseFloat(found[1].replaceAll(",", "")) : NaN;
};

const valueOf = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent;

// Rows by a column: numbers as numbers where all cells begin with one, empty cells last either way.
const sorted = (rows, column, up) => {
  const texts = new Map(rows.map((row) => [row, valueOf(row, column)]));
  const full = rows.filter((row) => !EMPTY.test(texts.get(row)));
  const empty = rows.filter((row) => EMPTY.test(texts.get(row)));
  const numbers = new Map(full.map((row) => [row, numberIn(texts.get(row))]));
  const numeric = full.every((row) => !Number.isNaN(numbers.get(row)));
  const order = numeric
    ? (a, b) => numbers.get(a) - numbers.get(b)
    : (a, b) => collator.compare(texts.get(a), texts.get(b));
  full.sort((a, b) => (up ? order(a, b) : order(b, a)));
  return [...full, ...empty];
};

const sortable = (table) => {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = make("button", { type: "button", title: "sort by this column" });
    button.append(...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...body.rows].filter((row) => !row.classList.contains("detail"));
      const details = new Map(rows.map((row) => [row, row.nextElementSibling]));
      for (const row of sorted(rows, column, up)) {
        const next = details.get(row);
        body.append(row, ...(next && next.classList.contains("detail") ? [next] : []));
      }
    });
  });
};

const searchBox = (label, act) => {
  const box = make("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  box.addEventListener("input", act);
  return [box, make("label", {}, `${label} `, box)];
};

// What is cut off in a cell can be read by pointing at it.
document.addEventListener("pointerover", (event) => {
  const cell = event.target.closest && event.target.closest("th, td");
  if (!cell || cell.title || cell.closest(".detail") || cell.scrollWidth <= cell.clientWidth) return;
  cell.title = cell.textContent;
});

// A table drawn as squares says the number of the one pointed at.
document.addEventListener("pointermove", (event) => {
  const area = event.target.closest && event.target.closest("[data-cells]");
  if (!area) return;
  const [rows, columns, before, between, values] = area.cells ??= JSON.parse(area.dataset.cells);
  const box = area.getBoundingClientRect();
  const at = (share, n) => Math.min(n - 1, Math.max(0, Math.floor(share * n)));
  const row = at((event.clientY - box.top) / box.height, rows.length);
  const column = at((event.clientX - box.left) / box.width, columns.length);
  const value = values[row * columns.length + column];
  let title = area.querySelector("title");
  if (!title) area.append(title = document.createElementNS("http://www.w3.org/2000/svg", "title"));
  title.textContent = value && `${before}${rows[row]}${between}${columns[column]}: ${value}`;
});

const MANY = 10;
for (const table of document.querySelectorAll("table[data-sortable]")) {
  sortable(table);
  const rows = [...table.tBodies[0].rows];
  if (rows.length <= MANY || !table.tHead.rows[0].cells[0].textContent.startsWith("judge")) continue;
  const count = make("span", { class: "count", "aria-live": "polite" });
  const [box, label] = searchBox("Judges named", () => {
    const text = box.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.cells[0].textContent.toLowerCase().includes(text);
    const left = rows.filter((row) => !row.hidden).length;
    count.textContent = text ? `${left} of ${rows.length} rows` : "";
  });
  table.closest(".scroll").before(make("div", { class: "filters" }, label, count));
}

// --- Items: one row each, which opens all there is on it.

const UNDECIDED = "undecided", LONG = 320;

const items = (data, holder) => {
  const { judges, labels, answers, patterns, texts, method, certainty, systems } = data;
  const scored = data.kind === "scores";
  const nobody = scored ? "no score" : "no vote";
  const hasHuman = data.items.some((item) => item[2] >= 0);
  const labelOf = (code) => (code < 0 ? UNDECIDED : labels[code]);
  const rows = data.items.map(([name, pattern, human, ...cells], place) => {
    const [votes, decision, shares, bits] = patterns[pattern];
    const system = systems ? systems[data.system_of[place]] ?? "" : "";
    return { name, votes, decision, shares, bits, human, cells, place, system };
  });
  const differs = (row) => row.human >= 0 && row.decision >= 0 && row.human !== row.decision;

  const split = ({ votes }) => {
    if (scored) {
      const given = votes.filter((code) => code >= 0).sort((a, b) => a - b).map((code) => answers[code]);
      return given.length ? `${given[0]} to ${given[given.length - 1]}` : nobody;
    }
    const counts = new Map();
    for (const code of votes) if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
    const parts = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return parts.map(([code, n]) => `${answers[code]} ${n}`).join(", ") || nobody;
  };

  const voteList = (row) => {
    const list = make("ul", { class: "votes" });
    row.votes.forEach((code, judge) => {
      const other = !scored && code >= 0 && code !== row.decision;
      const entry = make("li", other ? { class: "other" } : {});
      entry.append(make("span", { dir: "auto" }, judges[judge]), ": ");
      entry.append(make("b", { dir: "auto" }, code < 0 ? nobody : answers[code]));
      if (other && row.decision >= 0) entry.append(" (differs)");
      list.append(entry);
    });
    return list;
  };

  const shareList = (row) => {
    const list = make("ul", { class: "shares" });
    for (const [label, share] of row.shares) {
      const bar = make("i", { "aria-hidden": "true" });
      bar.style.width = share;
      list.append(make("li", {}, make("span", { dir: "auto" }, labels[label]), make("b", {}, share), bar));
    }
    return list;
  };

  const textBlock = (name, text) => {
    const block = make("div", { class: "text", dir: "auto", tabindex: "0" }, text);
    const part = make("section", {}, make("h4", {}, name), block);
    if (text.length > LONG || text.split("\n").length > 6) {
      block.classList.add("cut");
      const more = make("button", { type: "button", "aria-expanded": "false" }, "show all");
      more.addEventListener("click", () => {
        const cut = block.classList.toggle("cut");
        more.textContent = cut ? "show all" : "show less";
        more.setAttribute("aria-expanded", String(!cut));
      });
      part.append(more);
    }
    return part;
  };

  const detail = (row) => {
    const human = row.human < 0 ? "none" : labels[row.human] + (differs(row) ? " (differs from the consensus)" : "");
    const box = make("div", {});
    box.append(make("h4", { class: "name", dir: "auto" }, row.name));
    if (systems) box.append(make("p", {}, "System: ", make("b", { dir: "auto" }, row.system)));
    box.append(make("p", {}, "Human label: ", make("b", { dir: "auto" }, human)));
    const parts = make("div", { class: "parts" });
    parts.append(make("section", {}, make("h4", {}, scored ? "Scores" : "Votes"), voteList(row)));
    const title = certainty[0].toUpperCase() + certainty.slice(1);
    parts.append(make("section", {}, make("h4", {}, `${title} of each label (${method})`), shareList(row)));
    box.append(parts);
    row.cells.forEach((text, k) => { if (text !== null) box.append(textBlock(texts[k], text)); });
    return box;
  };

  const names = ["item", ...(systems ? ["system"] : []), "consensus", certainty, ...(hasHuman ? ["human label"] : []), scored ? "lowest to highest score" : "split of votes"];
  const head = make("tr");
  names.forEach((name, k) => head.append(make("th", { scope: "col", ...(name === certainty ? {} : { class: "left" }) }, name)));
  const body = make("tbody");
  const table = make("table", { class: "items" }, make("thead", {}, head), body);

  const toggle = (row) => {
    const open = row.button.getAttribute("aria-expanded") !== "true";
    row.button.setAttribute("aria-expanded", String(open));
    if (row.detail) row.detail.remove();
    row.detail = null;
    if (!open) return;
    const cell = make("td", { colspan: names.length }, detail(row));
    row.detail = make("tr", { class: "detail", id: `item-${row.place}` }, cell);
    row.line.after(row.detail);
    row.button.setAttribute("aria-controls", row.detail.id);
  };

  const step = (line, by) => {
    let next = line;
    do next = next && next[by]; while (next && (next.hidden || next.classList.contains("detail")));
    const button = next && next.querySelector("button");
    if (button) button.focus();
    return Boolean(button);
  };

  rows.forEach((row) => {
    row.button = make("button", { type: "button", "aria-expanded": "false" }, make("span", { dir: "auto" }, row.name));
    if (row.name.length > 24) row.button.title = row.name;
    const first = make("th", { scope: "row" }, row.button);
    first.dataset.value = row.name;
    const votes = make("td", { class: "left" }, make("span", { dir: "auto" }, split(row)));
    if (!scored) votes.dataset.value = String(row.bits);
    if (!scored) votes.title = `disagreement ${row.bits.toFixed(2)} bits`;
    row.line = make("tr", {}, first);
    if (systems) row.line.append(make("td", { class: "left" }, make("span", { dir: "auto" }, row.system)));
    row.line.append(make("td", { class: "left" }, make("span", { dir: "auto" }, labelOf(row.decision))));
    row.line.append(make("td", {}, row.shares[0][1]));
    if (hasHuman) {
      const cell = make("td", { class: differs(row) ? "left differs" : "left" });
      if (row.human >= 0) cell.append(make("span", { dir: "auto" }, labels[row.human]));
      row.line.append(cell);
    }
    row.line.append(votes);
    row.line.addEventListener("click", () => toggle(row));
    row.line.addEventListener("keydown", (event) => {
      const by = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
      if (by && step(row.line, by)) event.preventDefault();
    });
  });
  body.append(...rows.map((row) => row.line));

  const chosen = [];
  const select = (label, options) => {
    const menu = make("select", {});
    options.forEach(([name], k) => menu.append(make("option", { value: String(k) }, name)));
    menu.addEventListener("change", () => filter());
    chosen.push((row) => options[Number(menu.value)][1](row));
    return make("label", {}, `${label} `, menu);
  };
  const all = ["all", () => true];
  const [box, search] = searchBox(texts.length ? "Search names and texts" : "Search names", () => filter());
  const bar = make("div", { class: "filters" }, search);
  if (systems) bar.append(select("System", [all, ...systems.map((name) => [name, (row) => row.system === name])]));
  bar.append(select("Consensus", [
    all,
    ...labels.map((name, code) => [name, (row) => row.decision === code]),
    [UNDECIDED, (row) => row.decision < 0],
  ]));
  if (hasHuman) bar.append(select("Human label", [
    all,
    ["known", (row) => row.human >= 0],
    ["unknown", (row) => row.human < 0],
    ["differs from the consensus", differs],
  ]));
  if (!scored) bar.append(select("Judge that differs", [
    ["any or none", () => true],
    ...judges.map((name, k) => [name, (row) => row.votes[k] >= 0 && row.votes[k] !== row.decision]),
  ]));
  const count = make("span", { class: "count", role: "status" });
  bar.append(count);
  const holds = (row, text) => {
    row.lower ??= [row.name, ...row.cells.filter((cell) => cell !== null)].join("\n").toLowerCase();
    return row.lower.includes(text);
  };
  const filter = () => {
    const text = box.value.trim().toLowerCase();
    let left = 0;
    for (const row of rows) {
      const shown = (!text || holds(row, text)) && chosen.every((keep) => keep(row));
      row.line.hidden = !shown;
      if (row.detail) row.detail.hidden = !shown;
      left += shown;
    }
    count.textContent = left === rows.length ? `${left} items` : `${left} of ${rows.length} items`;
  };
  filter();
  sortable(table);
  const scroll = make("div", { class: "scroll", role: "region", "aria-label": "Items", tabindex: "0" }, table);
  holder.replaceChildren(bar, scroll);
};

const source = document.getElementById("items-data");
if (source) items(JSON.parse(source.textContent), document.getElementById("items-table"));

// --- Folds: a link opens where it leads, paper has no folds.

const folds = [...document.querySelectorAll("details.fold")];

const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target && target.querySelector(":scope > details.fold");
  if (fold) fold.open = true;
};
addEventListener("hashchange", reveal);
reveal();

const every = document.getElementById("every-fold");
if (every) {
  every.hidden = false;
  every.addEventListener("click", () => {
    const open = folds.some((fold) => !fold.open);
    for (const fold of folds) fold.open = open;
    every.textContent = open ? "Close all details" : "Open all details";
  });
}

let shut = [];
addEventListener("beforeprint", () => {
  shut = folds.filter((fold) => !fold.open);
  for (const fold of shut) fold.open = true;
});
addEventListener("afterprint", () => { for (const fold of shut) fold.open = false; });

// --- Cards for slides as pictures of dots, for what takes no SVG.

for (const card of document.querySelectorAll(".slide")) {
  const button = card.querySelector("button");
  const link = card.querySelector("a");
  button.hidden = false;
  button.addEventListener("click", () => {
    const image = new Image();
    image.addEventListener("load", () => {
      const canvas = make("canvas", { width: "1280", height: "720" });
      canvas.getContext("2d").drawImage(image, 0, 0, 1280, 720);
      const name = link.download.replace(/svg$/, "png");
      make("a", { download: name, href: canvas.toDataURL("image/png") }).click();
    });
    image.src = link.href;
  });
}
