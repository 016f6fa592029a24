/* What pages do better with script; each works without. */
"use strict";
(() => {
  const said = () => document.getElementById("said");
  const say = (text) => { const box = said(); if (box && text) box.textContent = text; };
  const typing = (node) => node.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");

  /* Light or dark: the cookie is the server's too, so that the next page does not flash. */
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    if (form.matches("[data-look]") && button) {
      event.preventDefault();
      const secure = location.protocol === "https:" ? "; secure" : "";
      if (button.value === "auto") {
        delete document.documentElement.dataset.theme;
        document.cookie = "look=; path=/; max-age=0; samesite=lax" + secure;
      } else {
        document.documentElement.dataset.theme = button.value;
        document.cookie = `look=${button.value}; path=/; max-age=31536000; samesite=lax${secure}`;
      }
      return;
    }
    /* A second press while the first is on its way would only be refused. */
    if (form.method === "post") {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "yes";
    }
  });
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });

  /* Keys: / finds, j and k move through a list, n enters a result. */
  const move = (step) => {
    const links = [...document.querySelectorAll("[data-keys] tbody th a")];
    if (!links.length) return;
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step;
    if (links[next]) links[next].focus();
  };
  /* Who fills in a form and has lost the focus of its field types words, and means no key. */
  const fillsIn = () => document.querySelector("main form[method=post] :is(input:not([type=hidden]), select, textarea)");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (event.key === "/") {
      const search = document.querySelector("input[type=search]");
      if (!search) return;
      event.preventDefault();
      search.closest("details")?.setAttribute("open", "");
      search.focus();
    } else if (event.key === "j" || event.key === "k") {
      move(event.key === "j" ? 1 : -1);
    } else if (event.key === "n" && !fillsIn()) {
      /* The link of the page knows more of what is entered than that of the bar. */
      (document.querySelector("main a[data-enter]") ?? document.querySelector("a[data-enter]"))?.click();
    }
  });

  /* Enter after an arrow chooses a suggestion of a name; it does not send the form. */
  let choosing = null;
  document.addEventListener("input", () => { choosing = null; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && choosing === event.target) event.preventDefault();
    const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
    choosing = isArrow && event.target.matches?.("input[list]") ? event.target : null;
  });

  /* The points of a chart are one stop of the tabulator key; arrows go along the line. */
  const points = (svg) => [...svg.querySelectorAll("[data-point]")];
  const stop = (all, at) => all.forEach((point, index) => point.setAttribute("tabindex", index === at ? "0" : "-1"));
  const gather = (root) => {
    for (const svg of root.querySelectorAll("figure.chart svg")) stop(points(svg), points(svg).length - 1);
  };
  gather(document);
  document.addEventListener("htmx:load", (event) => gather(event.detail.elt));
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const point = step && event.target.closest?.("[data-point]");
    if (!point) return;
    const all = points(point.ownerSVGElement);
    const at = Math.min(all.length - 1, Math.max(0, all.indexOf(point) + step));
    event.preventDefault();
    stop(all, at);
    all[at].focus();
  });

  /* The menu closes as menus do: by Escape, by a press elsewhere, and when the focus leaves it. */
  const menu = document.querySelector(".top .menu");
  if (menu) {
    const close = () => menu.removeAttribute("open");
    document.addEventListener("click", (event) => { if (!menu.contains(event.target)) close(); });
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) close();
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      close();
      menu.querySelector("summary").focus();
    });
  }

  /* Where a row of links is wider than the screen, begin at the chosen one. */
  for (const chosen of document.querySelectorAll(".tabs [aria-current]")) {
    const row = chosen.parentElement;
    row.scrollLeft = chosen.offsetLeft + chosen.offsetWidth / 2 - row.offsetLeft - row.clientWidth / 2;
  }

  /* Swapped fragments: say what came, keep the caret, tell when nothing came. */
  document.addEventListener("htmx:afterSettle", (event) => {
    say(event.detail.elt.dataset?.say || event.detail.elt.querySelector?.("[data-say]")?.dataset.say);
  });
  /* A list that gets shorter keeps its height, so that nothing below it jumps. */
  document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
    if (!target.matches("[data-keep]")) return;
    const height = `${target.offsetHeight}px`;
    /* Once on arrival, and again when htmx has settled the attributes as they were sent. */
    for (const moment of ["htmx:afterSwap", "htmx:afterSettle"]) {
      document.addEventListener(moment, () => {
        const swapped = document.getElementById(target.id);
        if (swapped) swapped.style.minBlockSize = height;
      }, { once: true });
    }
  });
  document.addEventListener("htmx:sendError", () => say(said().dataset.offline));
  document.addEventListener("htmx:responseError", () => say(said().dataset.error));

  /* A choice that leads somewhere leads there at once. */
  document.addEventListener("change", (event) => {
    if (event.target.matches("form[data-go] select")) event.target.form.requestSubmit();
  });

  /* What was refused is where one goes on, also in browsers that leave notes unfocused; fields
     they focus themselves, and say so in the console if somebody else was first. */
  document.querySelector("main [autofocus]:not(input, select, textarea)")?.focus();

  /* A name that stands there already gives way to the one that is typed, as after the tabulator. */
  document.querySelector("main input[type=search][autofocus]")?.select();

  /* The device knows its time zone; whoever made the form asks for it only where it is empty. No
     club plays in UTC: browsers that hide where they are say so. */
  const zone = document.querySelector("input[data-zone]");
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !zone.value && here.includes("/") && !here.startsWith("Etc/")) zone.value = here;

  /* Moments stand in the league's time zone; who reads elsewhere reads them in that of the device,
     and beside it the league's time with its zone, with the day where that differs. */
  const tell = (root) => {
    const said = document.querySelector("footer [data-zone]");
    for (const time of root.querySelectorAll("time[data-moment]")) {
      const [, sign, hours, minutes] = time.dateTime.match(/([+-])(\d\d):(\d\d)$/) ?? [];
      const at = new Date(time.dateTime);
      if (!said || !sign || Number(sign + "1") * (hours * 60 + Number(minutes)) === -at.getTimezoneOffset()) continue;
      const words = time.textContent;
      const long = /^\p{L}/u.test(words);
      const part = Object.fromEntries(new Intl.DateTimeFormat(document.documentElement.lang, {
        weekday: "long", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
      }).formatToParts(at).map(({ type, value }) => [type, value]));
      const year = /\d{4}/.test(words) ? ` ${part.year}` : "";
      time.title = `${words}, ${said.dataset.zone}`;
      const own = `${long ? `${part.weekday} ` : ""}${part.day} ${part.month}${year}, ${part.hour}:${part.minute}`;
      const isOwnDay = at.getDate() === Number(time.dateTime.slice(8, 10));
      time.textContent = `${own} (${isOwnDay ? time.title.slice(words.length - 5) : time.title})`;
      time.classList.remove("nw");
      time.removeAttribute("data-moment");
      said.textContent = `${said.dataset.here} ${said.dataset.zone}`;
    }
  };
  tell(document);
  document.addEventListener("htmx:load", (event) => tell(event.detail.elt));

  /* Entry: choosing who won by the score needs no second answer. */
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-entry]");
    if (!form || !event.target.name?.startsWith("score_")) return;
    const auto = form.querySelector("input[name=outcome][value=score]");
    if (auto) auto.checked = true;
  });
})();
