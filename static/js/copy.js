/* A text to paste elsewhere is copied by its button; it can be selected without one. */
"use strict";
(() => {
  const offer = (root) => {
    const buttons = ["[data-copy]"];
    if (navigator.share) buttons.push("[data-share]");
    if (navigator.clipboard) buttons.push("[data-copy-link]");
    for (const button of root.querySelectorAll(buttons.join())) button.hidden = false;
  };
  const select = (text) => {
    if (text.select) text.select();
    else getSelection().selectAllChildren(text);
  };
  /* Browsers give the clipboard only to pages that come over HTTPS or from this machine; on a
     network of one's own the old command copies what is selected. */
  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text.value ?? text.textContent);
    select(text);
    if (!document.execCommand("copy")) throw new Error("not copied");
  };
  const tell = (button) => {
    button.textContent = button.dataset.copied;
    document.getElementById("said").textContent = button.dataset.copied;
  };
  offer(document);
  document.addEventListener("htmx:load", (event) => offer(event.detail.elt));
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-share]")) return;
    const { title } = document;
    const text = document.querySelector(".chat textarea")?.value;
    /* Whoever closes the sheet of the device has changed their mind, and nothing has failed. */
    navigator.share(text ? { title, text } : { title, url: location.href }).catch(() => {});
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy-link]");
    /* Where the browser says no, the address can be copied from its own bar. */
    if (button) navigator.clipboard.writeText(location.href).then(() => tell(button), () => {});
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = button.closest("section, .note").querySelector("textarea, code");
    try {
      await copy(text);
      tell(button);
    } catch {
      select(text);
    }
  });
})();
