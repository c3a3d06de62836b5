// The filters: for each facet a menu of its values with the number of answers that each of them would leave.

const LONGEST_MENU = 300;

class FacetMenus {
  constructor(answers, change) {
    this.answers = answers;
    this.change = change;
    this.facets = answers.facets.filter((facet) => facet.codes && facet.values.length <= LONGEST_MENU);
    this.menus = this.facets.map((facet) => this.buildMenu(facet));
    this.element = build("div", { class: "facets", role: "group", "aria-label": "Filters" }, ...this.menus);
    document.addEventListener("click", (event) => {
      for (const menu of this.menus) if (!menu.contains(event.target)) menu.open = false;
    });
  }

  buildMenu(facet) {
    const menu = build(
      "details",
      {
        class: "facet",
        toggle: () => menu.open && this.fill(menu, facet),
        keydown: (event) => {
          if (event.key !== "Escape" || !menu.open) return;
          menu.open = false;
          menu.firstChild.focus();
          event.stopPropagation();
        },
      },
      build("summary", {}, facet.title),
      build("fieldset", {}),
    );
    return menu;
  }

  fill(menu, facet) {
    const chosen = this.state.chosen.get(facet.name) || new Set();
    const counts = countValues(this.answers, facet, this.filtered);
    const labels = facet.values.map((value, code) => {
      const box = build("input", { type: "checkbox", value: String(value), checked: chosen.has(String(value)) });
      return build(
        "label",
        { class: counts[code] ? "" : "empty" },
        box,
        build("span", {}, nameValue(value)),
        build("span", { class: "count" }, formatCount(counts[code])),
      );
    });
    const fieldset = menu.lastChild;
    fieldset.replaceChildren(build("legend", { class: "unseen" }, facet.title), ...labels);
    fieldset.style.left = ""; // a menu near the edge of the window moves inwards
    const over = fieldset.getBoundingClientRect().right + 16 - document.documentElement.clientWidth;
    if (over > 0 && getComputedStyle(fieldset).position === "absolute") fieldset.style.left = `${-over}px`;
    fieldset.onchange = () => {
      const values = [...fieldset.querySelectorAll("input:checked")].map((box) => box.value);
      this.change(facet.name, new Set(values));
    };
  }

  show(state, filtered) {
    this.state = state;
    this.filtered = filtered;
    this.facets.forEach((facet, place) => {
      const menu = this.menus[place],
        chosen = state.chosen.get(facet.name);
      const words = !chosen
        ? ""
        : chosen.size === 1
          ? nameValue([...chosen][0])
          : `${chosen.size} of ${facet.values.length}`;
      menu.firstChild.replaceChildren(facet.title, chosen ? build("b", {}, `: ${words}`) : "");
      menu.classList.toggle("used", Boolean(chosen));
      if (menu.open) {
        const focused = document.activeElement && document.activeElement.value;
        this.fill(menu, facet);
        const box = [...menu.querySelectorAll("input")].find((each) => each.value === focused);
        if (box) box.focus();
      }
    });
  }
}

const nameValue = (value) => (value === null || value === "null" ? "not part of the suite" : String(value));
