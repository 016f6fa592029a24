/* The night sheet: saved while it is typed, kept on the device while that fails, names completed. */
"use strict";
(() => {
  const form = document.querySelector("form[data-night]");
  if (!form) return;
  const sheet = form.elements.text;
  const warning = document.getElementById("unsaved");
  const store = form.dataset.night;
  const PAUSE = 500;
  const RETRY = 5000;
  const state = ["version", "key"];
  let timer = 0;
  let sent = null;
  let sentPresent = [];
  let later = new Map();
  let arriving = "";
  const arrival = form.elements.arrival;
  const boxes = () => [...form.querySelectorAll("input[name=present]")];
  const present = () => boxes().filter(({ checked }) => checked).map(({ value }) => value);

  /* What is not saved yet, with the version it began with: a page that comes later goes on there. */
  const remember = () => {
    const kept = { text: sheet.value, present: present() };
    for (const name of state) kept[name] = form.elements[name].value;
    let isKept = true;
    try { localStorage.setItem(store, JSON.stringify(kept)); } catch { isKept = false; }
    warning.querySelector("[data-kept]").hidden = !isKept;
    warning.querySelector("[data-lost]").hidden = isKept;
  };
  const remembered = () => {
    try { return JSON.parse(localStorage.getItem(store)); } catch { return null; }
  };
  const forget = () => { try { localStorage.removeItem(store); } catch { /* none allowed */ } };
  const save = (pause) => {
    clearTimeout(timer);
    timer = setTimeout(() => sheet.dispatchEvent(new CustomEvent("save")), pause);
  };

  /* Lines typed while the server put those of two pages together: it does so once more, as if
     they came from a page that has none of it. */
  const startOver = () => {
    form.elements.version.value = 0;
    form.elements.writer.value = "";
  };

  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt !== sheet) return;
    sent = event.detail.parameters.text ?? sheet.value;
    sentPresent = present();
    // A name that is still being typed is nobody's yet.
    if (arriving) event.detail.parameters.arrival = arriving;
    else delete event.detail.parameters.arrival;
  });
  /* Who was ticked or not since the request was sent: the answer may bring chips that do not know it. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig?.elt !== sheet) return;
    const others = boxes().filter(({ checked, value }) => checked !== sentPresent.includes(value));
    later = new Map(others.map(({ checked, value }) => [value, checked]));
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const readings = document.getElementById("readings");
    if (event.detail.requestConfig?.elt !== sheet || !readings) return;
    for (const box of boxes()) box.checked = later.get(box.value) ?? box.checked;
    isAwaited = false;
    arrange();
    mark();
    // A name that was typed after this request was sent goes with the next one.
    if (arriving && event.detail.requestConfig.parameters.arrival === arriving) {
      const isAdded = !document.querySelector("#here[data-problem]");
      if (isAdded && arrival.value.trim() === arriving) arrival.value = "";
      arriving = "";
    }
    // Whatever was typed meanwhile, the lines from before the other mode are those on top.
    const { above } = readings.dataset;
    if (above) {
      // The event comes once for each part that is swapped.
      delete readings.dataset.above;
      sheet.setRangeText(`${above}\n`, 0, 0, "preserve");
      sent = `${above}\n${sent}`;
    }
    if (readings.dataset.text !== undefined) {
      if (sheet.value === sent) sent = sheet.value = readings.dataset.text;
      else startOver();
    }
    warning.hidden = readings.dataset.saved === "yes";
    if (readings.dataset.saved !== "yes") return;
    if (sheet.value === sent && !later.size) forget();
    else { remember(); save(PAUSE); }
  });
  const fail = (event) => {
    if (event.detail.elt !== sheet) return;
    warning.hidden = isAwaited = false;
    mark();
    save(RETRY);
  };
  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) document.addEventListener(name, fail);
  addEventListener("online", () => { if (remembered()) save(0); });
  addEventListener("offline", () => { if (remembered()) warning.hidden = false; });

  form.addEventListener("input", (event) => {
    if (["settled", "arrival"].includes(event.target.name) || event.target.matches("[data-pairs]")) return;
    if (event.target.name === "present") arrange();
    if (event.target.name === "mode") goOnIn(event.target.value);
    remember();
    save(event.inputType === "insertLineBreak" || event.target.name === "mode" ? 0 : PAUSE);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("button[value=check]"));
  });
  form.addEventListener("submit", (event) => {
    clearTimeout(timer);
    if (event.submitter?.value === "discard") forget();
  });

  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const named = (list) => [...document.querySelectorAll(`${list} option`)].map(({ value }) => ({ value, words: plain(value) }));
  const names = named("#names");

  /* Things of one shape are told apart by lines that name them: another choice holds for the lines
     below, and the server heads those above. */
  const modes = new Map([...form.querySelectorAll("[name=mode]")].map((radio) => [radio.value, radio.labels?.[0]?.textContent.trim()]));
  const modeOf = (line) => {
    const name = plain(line.trim().replace(/\s*:$/, ""));
    return name && [...modes].find(([, label]) => label && plain(label) === name)?.[0];
  };
  const modeBelow = (lines, first) => lines.map(modeOf).findLast(Boolean) ?? first;
  /* Taps mean something else in another mode: they wait until the answer has its sides and scores. */
  let isAwaited = false;
  const goOnIn = (mode) => {
    taps.splice(0);
    isAwaited = true;
    mark();
    if (!("headings" in form.dataset)) return;
    const lines = sheet.value.trimEnd().split("\n");
    while (lines.length && modeOf(lines.at(-1))) lines.pop();
    const isUsed = lines.some((line) => line.trim() && !/^\s*[@#]/.test(line) && !modeOf(line));
    if (isUsed && modeBelow(lines, form.elements.scores_of.value) !== mode) lines.push(`${modes.get(mode)}:`);
    const text = lines.join("\n").trimEnd();
    sheet.value = text && `${text}\n`;
    sheet.scrollTop = sheet.scrollHeight;
    mark();
  };
  const thumb = form.querySelector(".thumb");
  const thumbs = thumb.querySelector("[data-players]");
  const chipOf = (name) => {
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = "chip";
    chip.dataset.name = name;
    chip.dataset.fresh = "";
    chip.ariaPressed = "false";
    chip.append(Object.assign(document.createElement("bdi"), { textContent: name }));
    return chip;
  };
  let chips = [...thumbs.children];

  /* Who is here: how many, and they come first among the names and where they are tapped. New names of
     the sheet can be tapped from then on. */
  const count = document.getElementById("here-count");
  const arrange = () => {
    const here = present();
    count.textContent = here.length ? `· ${here.length}` : "";
    const wanted = [...here, ...named("#newcomers").map(({ value }) => value)];
    for (const value of here) {
      if (!names.some((name) => name.value === value)) names.push({ value, words: plain(value) });
    }
    // A name that was half typed is no one's any more.
    chips = chips.filter(({ dataset }) => !("fresh" in dataset) || wanted.includes(dataset.name));
    for (const value of wanted) {
      if (!chips.some((chip) => chip.dataset.name === value)) chips.push(chipOf(value));
    }
    const isHere = (chip) => here.includes(chip.dataset.name);
    /* Those who are here by name, as the server has them: nobody moves while lines are tapped. */
    const byName = (one, other) => isHere(one) && isHere(other) ? plain(one.dataset.name).localeCompare(plain(other.dataset.name)) : 0;
    thumbs.replaceChildren(...[...chips].sort((one, other) => isHere(other) - isHere(one) || byName(one, other)));
  };

  /* One more name is here, or all of the last time. */
  const arrive = () => {
    arriving = arrival.value.trim();
    if (arriving) save(0);
    arrival.focus();
  };
  arrival.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    arrive();
  });
  form.querySelector(".presence").addEventListener("click", (event) => {
    const { value } = event.target.closest("button") ?? {};
    if (value === "arrive") arrive();
    if (value === "last") {
      for (const box of boxes()) box.checked ||= "last" in box.dataset;
      form.dispatchEvent(new CustomEvent("input", { bubbles: true }));
      arrange();
    }
    if (value) event.preventDefault();
  });

  /* Taps: the winner, the loser, the score are a line; in doubles two of each. Of more sides all are
     tapped, best first. */
  const taps = [];
  const isInOrder = () => thumb.querySelector("[data-order]") !== null;
  const side = () => (thumb.querySelector("[data-pairs]").checked ? 2 : 1);
  const wordFor = (at) => (at < side() ? thumb.dataset.won : thumb.dataset.lost);
  const write = (text) => {
    sheet.value = text;
    sheet.scrollTop = sheet.scrollHeight;
    sheet.dispatchEvent(new CustomEvent("input", { bubbles: true }));
  };
  const mark = () => {
    for (const chip of thumb.querySelectorAll("[data-name]")) {
      const at = taps.indexOf(chip.dataset.name);
      chip.ariaPressed = String(at >= 0);
      chip.disabled = isAwaited;
      // Above the chip's edge, so that none of the others moves.
      chip.querySelector("small")?.remove();
      if (at < 0) continue;
      const word = document.createElement("small");
      word.textContent = isInOrder() ? at + 1 : wordFor(at);
      chip.append(word);
    }
    const way = isInOrder() ? "order" : String(side());
    for (const words of thumb.querySelectorAll("[data-taps]")) words.hidden = words.dataset.taps !== way;
    const least = isInOrder() ? 3 : 2 * side();
    for (const chip of thumb.querySelectorAll("[data-score]")) chip.disabled = taps.length < least;
    const mode = modeBelow(sheet.value.split("\n"), form.elements.scores_of.value);
    for (const chip of thumb.querySelectorAll("[data-mode]")) chip.ariaPressed = String(chip.dataset.mode === mode);
  };
  const echo = (word, line) => {
    thumb.querySelector("[data-echo]").textContent = line ? `${word} ${line}` : "";
  };
  thumb.hidden = false;
  mark();
  thumb.addEventListener("change", (event) => {
    if (!("pairs" in event.target.dataset)) return;
    taps.splice(0);
    mark();
  });
  thumb.addEventListener("click", (event) => {
    const { name, score, back, mode } = event.target.closest("button")?.dataset ?? {};
    const lines = sheet.value.replace(/\n+$/, "");
    if (name !== undefined) {
      const at = taps.indexOf(name);
      if (at >= 0) taps.splice(at, 1);
      else if (isInOrder() || taps.length < 2 * side()) taps.push(name);
    } else if (score !== undefined && isInOrder()) {
      const line = taps.splice(0).join(", ");
      write(`${lines ? `${lines}\n` : ""}${line}\n`);
      echo(thumb.dataset.added, line);
    } else if (score !== undefined) {
      const [winner, loser] = [taps.splice(0, side()), taps.splice(0)].map((names) => names.join(" + "));
      const line = score ? `${winner} - ${loser} ${score}` : `${winner} > ${loser}`;
      write(`${lines ? `${lines}\n` : ""}${line}\n`);
      echo(thumb.dataset.added, line);
    } else if (back !== undefined) {
      const begin = lines.lastIndexOf("\n") + 1;
      write(lines.slice(0, begin));
      echo(thumb.dataset.taken, lines.slice(begin));
    } else if (mode !== undefined) {
      const radio = form.querySelector(`[name=mode][value="${mode}"]`);
      radio.checked = true;
      radio.dispatchEvent(new Event("input", { bubbles: true }));
    }
    mark();
  });

  /* What this device kept while it could not save. */
  const kept = remembered();
  const wasHere = Array.isArray(kept?.present) ? kept.present : present();
  const isOther = boxes().some((box) => box.checked !== wasHere.includes(box.value));
  if (kept && typeof kept.text === "string" && (kept.text !== sheet.value || isOther)) {
    sheet.value = kept.text;
    for (const box of boxes()) box.checked = wasHere.includes(box.value);
    arrange();
    // Another tab may have kept it, and goes on there: this page is another one.
    for (const name of state) form.elements[name].value = kept[name] ?? "";
    warning.hidden = false;
    save(0);
  } else {
    forget();
    arrange();
  }
  mark();

  /* Names: those who are here first, then those on this sheet, then who played last. Tab takes one, Escape closes the list. */
  const offer = document.createElement("ul");
  offer.className = "offer";
  offer.id = "offer";
  offer.role = "listbox";
  offer.ariaLabel = sheet.dataset.names;
  offer.hidden = true;
  sheet.after(offer);
  sheet.setAttribute("aria-autocomplete", "list");
  sheet.setAttribute("aria-haspopup", "listbox");
  sheet.setAttribute("aria-controls", "offer");
  const MOST = 6;
  let found = [];
  let chosen = 0;
  let from = 0;
  let spaced = -1;

  const close = () => {
    found = [];
    offer.hidden = true;
    sheet.removeAttribute("aria-activedescendant");
  };
  const match = (typed) => {
    // Who is here and new on the sheet is in both lists.
    const known = new Map([...names, ...named("#newcomers")].map((name) => [name.value.toLowerCase(), name]));
    const begins = [...known.values()].filter(({ words }) => words.startsWith(typed) || words.includes(` ${typed}`));
    const there = new Set(present().map(plain));
    const lines = plain(sheet.value);
    const here = begins.filter(({ words }) => there.has(words));
    const on = begins.filter(({ words }) => lines.includes(words));
    return [...new Set([...here, ...on, ...begins])].slice(0, MOST);
  };
  /* The longest end of the line before the caret that begins a name, of up to three words. */
  const look = () => {
    const caret = sheet.selectionStart;
    const begin = sheet.value.lastIndexOf("\n", caret - 1) + 1;
    const line = sheet.value.slice(begin, caret);
    if (caret !== sheet.selectionEnd || /^\s*[@#]/.test(line) || /^[\p{L}\p{N}]/u.test(sheet.value.slice(caret))) return close();
    const starts = [...line.matchAll(/(?<=^|[\s+&,<>=])\p{L}/gu)].map(({ index }) => index).slice(-3);
    for (const at of starts) {
      const typed = plain(line.slice(at));
      found = typed.length < 2 || /[+&,<>=]/.test(typed) ? [] : match(typed);
      if (found.some(({ words }) => words === typed)) return close();
      if (found.length) { from = begin + at; return show(0); }
    }
    return close();
  };
  /* Where the row of a letter ends: long lines take several, so a copy of the box is measured. */
  const below = (at) => {
    const style = getComputedStyle(sheet);
    const copy = document.createElement("div");
    for (const name of ["font", "lineHeight", "padding", "whiteSpace", "overflowWrap"]) copy.style[name] = style[name];
    copy.style.cssText += `; position: absolute; visibility: hidden; inline-size: ${sheet.clientWidth}px`;
    copy.textContent = sheet.value.slice(0, at + 1);
    sheet.after(copy);
    const height = copy.clientHeight - parseFloat(style.paddingBottom);
    copy.remove();
    return height;
  };
  /* A line of what the lines say, and a link to it, lead to the line of the text. */
  const select = (number) => {
    const lines = sheet.value.split("\n");
    const line = lines[number - 1];
    if (line === undefined) return;
    const begin = lines.slice(0, number - 1).reduce((sum, { length }) => sum + length + 1, 0);
    sheet.focus({ preventScroll: true });
    sheet.setSelectionRange(begin, begin + line.length);
    sheet.scrollTop = below(begin) - sheet.clientHeight / 2;
    sheet.scrollIntoView({ block: "nearest" });
  };
  form.addEventListener("click", (event) => {
    const link = event.target.closest("#readings a[href^='#line-']");
    const row = link ? document.querySelector(link.hash) : event.target.closest("ol.sheet li");
    if (!row) return;
    if (link) event.preventDefault();
    // A row is marked to be copied, too.
    else if (event.target.closest("a, button, input, select, label, summary") || !getSelection().isCollapsed) return;
    select(row.value);
  });
  const show = (index) => {
    chosen = index;
    offer.replaceChildren(...found.map(({ value }, at) => {
      const item = document.createElement("li");
      item.role = "option";
      item.id = `offer-${at}`;
      item.ariaSelected = String(at === chosen);
      item.textContent = value;
      return item;
    }));
    offer.style.insetBlockStart = `${sheet.offsetTop + Math.min(below(from) - sheet.scrollTop, sheet.clientHeight)}px`;
    offer.hidden = false;
    sheet.setAttribute("aria-activedescendant", `offer-${chosen}`);
    const words = sheet.dataset.offer.replace("{count}", found.length).replace("{name}", found[chosen].value);
    document.getElementById("said").textContent = words;
  };
  const take = (index) => {
    const space = sheet.value[sheet.selectionStart] === " " ? "" : " ";
    sheet.setRangeText(found[index].value + space, from, sheet.selectionStart, "end");
    spaced = space ? sheet.selectionStart : -1;
    close();
    sheet.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };
  sheet.addEventListener("input", (event) => { if (event.isTrusted) look(); });
  sheet.addEventListener("blur", close);
  sheet.addEventListener("click", close);
  sheet.addEventListener("keydown", (event) => {
    // Whoever types the space that a taken name has already brought means that one.
    if (event.key === " " && spaced === sheet.selectionStart && spaced === sheet.selectionEnd) event.preventDefault();
    spaced = -1;
  });
  sheet.addEventListener("keydown", (event) => {
    if (offer.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) show((chosen + step + found.length) % found.length);
    else if (event.key === "Tab" && !event.shiftKey) take(chosen);
    else if (event.key === "Escape") close();
    else { if (event.key.startsWith("Arrow")) close(); return; }
    event.preventDefault();
  });
  offer.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("li");
    event.preventDefault();
    if (item) take([...offer.children].indexOf(item));
  });
})();
