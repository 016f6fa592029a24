/* A text to paste elsewhere is copied by its button; it can be selected without one. */
(() => {
  if (!navigator.clipboard) return;
  const offer = (root) => {
    for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
  };
  offer(document);
  document.addEventListener("htmx:load", (event) => offer(event.detail.elt));
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = button.closest("section, .note").querySelector("textarea, code");
    try {
      await navigator.clipboard.writeText(text.value ?? text.textContent);
      button.textContent = button.dataset.copied;
      document.getElementById("said").textContent = button.dataset.copied;
    } catch {
      if (text.select) text.select();
      else getSelection().selectAllChildren(text);
    }
  });
})();
