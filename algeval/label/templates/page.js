"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const make = (tag, words, kind) => { const e = document.createElement(tag); if (words !== undefined) e.textContent = words; if (kind) e.className = kind; return e; };
  const page = { state: null, since: 0, busy: false, plain: false, hidden: false, reviewing: false };
  const seconds = () => (performance.now() - page.since) / 1000;

  // --- Who answers: the server on this machine, or, in a page that was saved, the browser itself.

  const who = () => ($("who").hidden || !$("who").value ? new URLSearchParams(location.search).get("who") : $("who").value);
  const query = () => (who() ? `?who=${encodeURIComponent(who())}` : "");
  const online = {
    state: async () => (await fetch(`state${query()}`)).json(),
    post: async (path, body) => {
      const answer = await fetch(path + query(), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body || {}) });
      const said = await answer.json();
      if (!answer.ok) { const error = new Error(said.error || "Not saved."); error.state = said.state; throw error; }
      return said;
    },
  };
  const source = globalThis.algevalOffline || online;

  // --- What is shown.

  const percent = (x) => `${Math.round(100 * x)}%`;
  const points = (x, signed) => (signed ? `${x > 0 ? "+" : ""}${Math.round(100 * x)}` : percent(x));
  const svg = (tag, values) => { const e = document.createElementNS("http://www.w3.org/2000/svg", tag); for (const [k, v] of Object.entries(values)) e.setAttribute(k, v); return e; };

  function bar(one, live) {
    const [least, most] = live.ends, at = (x) => 100 * (x - least) / (most - least), signed = least < 0;
    const row = make("div", undefined, one.decided ? "bar decided" : "bar");
    row.append(make("span", one.name || page.state.good, "name"));
    const figure = svg("svg", { viewBox: "0 0 100 16", preserveAspectRatio: "none", role: "img", "aria-label": `between ${points(one.low, signed)} and ${points(one.high, signed)}` });
    figure.append(svg("line", { class: "axis", x1: 0, x2: 100, y1: 8, y2: 8, "vector-effect": "non-scaling-stroke" }));
    figure.append(svg("line", { class: "range", x1: at(one.low), x2: at(one.high), y1: 8, y2: 8, "vector-effect": "non-scaling-stroke" }));
    if (live.mark !== null) figure.append(svg("line", { class: "mark", x1: at(live.mark), x2: at(live.mark), y1: 1, y2: 15, "vector-effect": "non-scaling-stroke" }));
    row.append(figure, make("span", `${points(one.low, signed)} to ${points(one.high, signed)}`, "ends"));
    return row;
  }

  function answer(live, agree) {
    const box = $("answer"); box.replaceChildren();
    if (!live || page.hidden) return;
    for (const one of live.bars.slice(0, 8)) box.append(bar(one, live));
    box.append(make("p", live.sentence + ".", live.stop ? "stop" : "go"));
    for (const line of agree) box.append(make("p", line, "hint"));
  }

  function cell(one) {
    const box = make("section", undefined, one.side ? `cell ${one.side}` : "cell");
    box.append(make("h2", one.name));
    const text = make("div", undefined, `text ${page.plain ? "plain" : one.kind}`);
    text.dir = "auto";
    if (page.plain) text.textContent = one.plain; else text.innerHTML = one.html; // made of a fixed list of elements; the policy runs no script
    box.append(text);
    if (one.left_out) box.append(make("p", `${one.left_out.toLocaleString()} more characters are not shown`, "left-out"));
    requestAnimationFrame(() => {
      if (text.scrollHeight < 480) return;
      text.classList.add("cut");
      const more = make("button", "show all"); more.type = "button"; more.className = "more";
      more.setAttribute("aria-expanded", "false");
      more.addEventListener("click", () => { const cut = text.classList.toggle("cut"); more.textContent = cut ? "show all" : "fold"; more.setAttribute("aria-expanded", String(!cut)); });
      text.after(more);
    });
    return box;
  }

  function show(state) {
    page.state = state; page.since = performance.now();
    const pace = state.pace ? ` · ${state.pace.toFixed(1)} s a label` : "";
    $("done").textContent = `${state.done} of ${state.total} labelled${pace}`;
    answer(state.live, state.agree);
    $("question").textContent = state.question;
    const select = $("who");
    select.hidden = state.people.length < 2;
    if (!select.hidden && select.options.length !== state.people.length) select.replaceChildren(...state.people.map((name) => new Option(name, name)));
    select.value = state.who;
    $("to-review").hidden = !state.judges || !state.done || Boolean(source.offline);
    const main = $("item"); main.replaceChildren(); main.scrollTop = 0;
    $("labels").replaceChildren(...state.labels.map((label, k) => {
      const button = make("button"); button.type = "button"; button.append(make("kbd", String(k + 1)), ` ${label}`);
      button.disabled = !state.item; button.addEventListener("click", () => act({ kind: "label", label }));
      return button;
    }));
    if (!state.item) { main.append(make("p", state.done ? "All items that are yours have a label. Stop, or look again at where judges say otherwise." : "There is nothing to label.")); }
    else {
      if (state.item.again) main.append(make("p", "You put this off before.", "hint"));
      if (state.item.partner) main.append(make("p", "Another output on the same prompt.", "hint"));
      main.append(...state.item.cells.map(cell));
    }
    $("note").value = ""; $("note").hidden = true;
    document.body.dataset.turn = state.turn;
    if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
  }

  function fail(error) { $("error").textContent = error.message; $("error").hidden = false; if (error.state) show(error.state); }

  // --- What is done.

  async function act(body) {
    if (page.busy || !page.state || page.reviewing) return;
    page.busy = true;
    try {
      const note = $("note").value.trim();
      const state = await source.post("act", { ...body, turn: page.state.turn, seconds: seconds(), ...(note ? { note } : {}) });
      $("error").hidden = true;
      show(state);
    } catch (error) { fail(error instanceof TypeError ? new Error("NOT SAVED: the labelling has stopped or cannot be reached. Start it again, and reload this page.") : error); }
    finally { page.busy = false; }
  }

  async function review() {
    const box = $("review");
    page.reviewing = !page.reviewing;
    document.body.classList.toggle("reviewing", page.reviewing);
    $("item").hidden = page.reviewing; box.hidden = !page.reviewing; $("labels").hidden = page.reviewing;
    $("to-review").textContent = page.reviewing ? "go on labelling" : "look again";
    if (!page.reviewing) return;
    const found = await source.post("review");
    box.replaceChildren(make("p", `${found.count} of your labels are contradicted by a judge. A second look is kept beside the first and is never counted as a label of its own.`, "hint"));
    for (const row of found.rows) {
      const part = make("section", undefined, "row");
      part.append(...row.cells.map(cell));
      const judges = make("ul", undefined, "judges");
      for (const [judge, said] of Object.entries(row.judges)) judges.append(make("li", `${judge}: ${said}`, said === row.label ? "" : "other"));
      const second = make("div", undefined, "second");
      const words = make("span", `You said ${row.label}.${row.second ? ` Second look: ${row.second}.` : ""}`);
      second.append(words);
      for (const label of found.labels) {
        const button = make("button", label); button.type = "button";
        button.addEventListener("click", async () => { try { await source.post("act", { kind: "second", item: row.item, label }); words.textContent = `You said ${row.label}. Second look: ${label}.`; } catch (error) { fail(error); } });
        second.append(button);
      }
      part.append(judges, second); box.append(part);
    }
  }

  async function stop() {
    if (source.offline) return source.download();
    const said = await source.post("stop");
    document.body.replaceChildren(make("main"));
    document.body.firstChild.append(make("h1", "Stopped. Every label is saved."), make("pre", said.summary), make("p", "You may close this page."));
    page.state = null;
  }

  const acts = {
    unsure: () => act({ kind: "unsure" }), skip: () => act({ kind: "skip" }), undo: () => act({ kind: "undo" }), review, stop,
    note: () => { $("note").hidden = false; $("note").focus(); },
    plain: () => { page.plain = !page.plain; if (page.state && page.state.item) $("item").replaceChildren(...page.state.item.cells.map(cell)); },
    hide: () => { page.hidden = !page.hidden; answer(page.state.live, page.state.agree); },
  };
  const keys = { 0: "unsure", s: "skip", u: "undo", n: "note", m: "plain", h: "hide" };
  for (const button of document.querySelectorAll("[data-act]")) button.addEventListener("click", () => acts[button.dataset.act]());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.id === "note") { if (event.key === "Escape") { event.target.blur(); event.preventDefault(); } return; }
    if (event.target.tagName === "SELECT") return;
    const label = page.state && page.state.labels[Number(event.key) - 1];
    if (/^[1-9]$/.test(event.key) && label && page.state.item) { act({ kind: "label", label }); event.preventDefault(); }
    else if (keys[event.key]) { acts[keys[event.key]](); event.preventDefault(); }
  });
  $("who").addEventListener("change", () => source.state().then(show, fail));
  source.state().then(show, fail);
})();
