(() => {
  const form = document.getElementById("filter");
  if (form) {
    const misses = [...document.querySelectorAll(".miss")];
    const shown = document.getElementById("shown");
    const apply = () => {
      const wanted = Object.fromEntries(new FormData(form));
      const text = wanted.text.toLowerCase();
      let count = 0;
      for (const miss of misses) {
        const fits = ["suite", "model", "language", "outcome"].every((key) => !wanted[key] || miss.dataset[key] === wanted[key])
          && (!text || miss.textContent.toLowerCase().includes(text));
        miss.hidden = !fits;
        count += fits;
      }
      shown.textContent = `${count} of ${misses.length} shown`;
    };
    for (const select of form.querySelectorAll("select")) {
      const values = [...new Set(misses.map((miss) => miss.dataset[select.name]))].sort();
      select.append(...values.map((value) => new Option(value, value)));
      select.parentElement.hidden = values.length < 2;
    }
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
})();
