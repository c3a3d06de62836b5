{
  const { log } = console, { stringify } = JSON;
  const print = (value) => (typeof value === "string" ? value : codereasonInspect(value));
  const show = (value) => {
    if (value === undefined || typeof value === "function" || value instanceof Promise) return ["", String(typeof value)];
    if (value !== null && typeof value === "object" && typeof value.next === "function" && value[Symbol.iterator]) {
      const items = [];
      for (const item of value) if (items.push(item) > 30) return ["", ""];
      return ["[...{}]", print(items)];
    }
    return ["{}", print(value)];
  };
  const candidates = "CANDIDATES";
  for (let index = 0; index < candidates.length; index++) {
    let form = null, text = "";
    try {
      [form, text] = show(eval(`(() => { ${candidates[index]}\n })()`));
    } catch (error) {
      text = String(error && error.name);
    }
    log("\n" + "MARK" + stringify([index, form, text.slice(0, 2000)]));
  }
}
