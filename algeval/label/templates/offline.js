"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const key = `algeval-${data.start.digest.slice(0, 16)}-${data.start.goal}-${data.start.seed}-${data.who}`;
  const id = () => crypto.getRandomValues(new Uint8Array(10)).reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "");
  const read = () => JSON.parse(localStorage.getItem(key) || "[]");
  const BACK_AFTER = 8;
  let shown = null;

  function fold() {
    const records = read(), undone = new Set(records.filter((r) => r.kind === "undo").map((r) => r.undoes));
    const own = records.filter((r) => r.kind !== "undo" && !undone.has(r.id)), last = new Map();
    own.forEach((r, k) => last.set(r.item, { ...r, k }));
    return { records, own, last };
  }

  function current() {
    const { records, own, last } = fold();
    const later = [...last.values()].filter((r) => r.kind === "skip").sort((a, b) => a.k - b.k);
    const due = later.find((r) => own.length - r.k > BACK_AFTER);
    const item = data.items.find((i) => (due ? i.id === due.item : !last.has(i.id))) || data.items.find((i) => later.length && i.id === later[0].item) || null;
    return { records, own, last, item };
  }

  function state() {
    const { records, own, last, item } = current();
    if (!shown || !item || shown.item !== item.id || shown.turn !== records.length) shown = item && { item: item.id, turn: records.length, time: new Date().toISOString() };
    const spent = own.filter((r) => r.kind === "label").slice(-30).map((r) => r.seconds).sort((a, b) => a - b);
    const done = [...last.values()].filter((r) => r.kind === "label").length;
    return { who: data.who, people: [data.who], question: data.question, labels: data.labels, good: data.good, turn: records.length, done, total: data.items.length,
      pace: spent.length > 2 ? spent[spent.length >> 1] : null, agree: [], judges: false,
      live: { bars: [], ends: [0, 1], mark: null, stop: false, sentence: "Labels stay in this browser until you download them; the interval is made when they are merged" },
      item: item && { cells: item.cells, swapped: item.swapped, again: last.has(item.id), partner: false, number: done + 1 } };
  }

  function save(record) {
    const records = read();
    records.push({ id: id(), who: data.who, time: new Date().toISOString(), ...record });
    try { localStorage.setItem(key, JSON.stringify(records)); } catch (error) { throw new Error("NOT SAVED: this browser keeps no more. Download the labels, then go on in a new page."); }
  }

  async function post(path, body) {
    const now = state();
    if (body.turn !== now.turn) { const error = new Error("This page was behind: the item was answered, perhaps in another tab. Nothing was saved twice."); error.state = now; throw error; }
    if (body.kind === "undo") { const last = fold().own.at(-1); if (last) save({ kind: "undo", undoes: last.id }); }
    else if (now.item) {
      const record = { kind: body.kind, item: shown.item, shown: shown.time, seconds: Math.round(100 * body.seconds) / 100 };
      if (body.label) record.label = (now.item.swapped && data.other_side[body.label]) || body.label;
      if (Object.keys(data.other_side).length) record.swapped = now.item.swapped;
      if (body.note) record.note = body.note;
      save(record);
    }
    return state();
  }

  function download() {
    const lines = [data.start, ...read()].map((record) => JSON.stringify(record)).join("\n");
    const link = document.createElement("a");
    link.href = `data:application/jsonl;charset=utf-8,${encodeURIComponent(`${lines}\n`)}`; link.download = data.file; link.click();
  }

  document.getElementById("to-stop").textContent = "download labels";
  globalThis.algevalOffline = { offline: true, state: async () => state(), post, download };
})();
