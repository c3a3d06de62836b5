// The columns of all answers. An answer is known by its place, a row.

const SCORED = new Set(["correct", "wrong", "invalid", "truncated", "refused", "too-long"]);

class Answers {
  constructor(content) {
    this.count = content.count;
    this.facets = content.facets.map((facet) => ({ ...facet, codes: facet.codes && Int32Array.from(facet.codes) }));
    this.byName = new Map(this.facets.map((facet) => [facet.name, facet]));
    this.ids = { values: content.ids.values, codes: Int32Array.from(content.ids.codes) };
    this.samples = content.samples;
    this.texts = Object.fromEntries(
      ["expected", "answer", "reason"].map((name) => [
        name,
        { values: content[name].values, codes: Int32Array.from(content[name].codes) },
      ]),
    );
    this.numbers = new Map(content.numbers.map((each) => [each.name, { title: each.title, values: each.values }]));
    this.grades = content.grades;
    this.plain = content.plain;
    this.start = content.start;
    this.placeOfTexts = content.texts;
    const outcomes = this.byName.get("outcome");
    this.outcomes = outcomes.values;
    this.isRight = Uint8Array.from(outcomes.values, (value) => value === "correct");
    this.isScored = Uint8Array.from(outcomes.values, (value) => SCORED.has(value));
  }

  // The number of the value of a facet; a facet with a single value has no codes.
  code(facet, row) {
    return facet.codes ? facet.codes[row] : 0;
  }

  value(name, row) {
    const facet = this.byName.get(name);
    return facet ? facet.values[this.code(facet, row)] : null;
  }

  outcome(row) {
    return this.value("outcome", row);
  }

  id(row) {
    return this.ids.values[this.ids.codes[row]];
  }

  sample(row) {
    return this.samples ? this.samples[row] : 0;
  }

  // The texts that a search looks into, in small letters.
  lowered() {
    this.small =
      this.small ||
      [this.ids, ...Object.values(this.texts)].map(({ values, codes }) => ({
        codes,
        lower: values.map((value) => value.toLowerCase()),
      }));
    return this.small;
  }

  text(name, row) {
    return this.texts[name].values[this.texts[name].codes[row]];
  }

  number(name, row) {
    const column = this.numbers.get(name);
    return column ? column.values[row] : null;
  }

  grade(row) {
    return this.number(this.grades[this.value("suite", row)], row);
  }

  // What names an answer in an address: the same after the report is written again.
  key(row) {
    const parts = [this.value("suite", row), this.value("model", row), this.id(row), this.sample(row)];
    for (const name of ["run", "side", "pair"]) if (this.byName.has(name)) parts.push(this.value(name, row));
    return parts.join("~");
  }

  find(key) {
    for (let row = 0; row < this.count; row += 1) {
      if (key.includes(this.id(row)) && this.key(row) === key) return row;
    }
    return null;
  }

  // On a page that compares two sides, the answer of the other side to this question; null if there is none.
  partner(row) {
    if (!this.byName.has("side")) return null;
    const same = (other) =>
      this.value("pair", other) === this.value("pair", row) &&
      this.value("side", other) !== this.value("side", row) &&
      this.sample(other) === this.sample(row);
    return this.others(row).find(same) ?? null;
  }

  // The answers to the same question: those of other models, other runs and other samples.
  others(row) {
    const same = ["suite", "plan"].filter((name) => this.byName.has(name)).map((name) => this.byName.get(name)),
      rows = [];
    for (let other = 0; other < this.count; other += 1) {
      if (
        other !== row &&
        this.ids.codes[other] === this.ids.codes[row] &&
        same.every((facet) => this.code(facet, other) === this.code(facet, row))
      )
        rows.push(other);
    }
    return rows;
  }

  // The answer of the same model about the same program as it was before it was perturbed; null if there is none.
  twin(row) {
    const departed = Object.entries(this.plain).filter(
      ([axis, value]) => this.byName.has(axis) && ![value, null].includes(this.value(axis, row)),
    );
    if (!departed.length) return null;
    const same = [
      "suite",
      "model",
      "run",
      "language",
      "family",
      ...this.facets.map((facet) => facet.name).filter((name) => name.startsWith("axis ")),
    ].filter((name) => this.byName.has(name));
    const wanted = same.map((name) => {
      const facet = this.byName.get(name),
        plain = departed.find(([axis]) => axis === name);
      return [facet, plain ? facet.values.indexOf(plain[1]) : this.code(facet, row)];
    });
    for (let other = 0; other < this.count; other += 1) {
      if (wanted.every(([facet, code]) => this.code(facet, other) === code) && this.sample(other) === this.sample(row))
        return other;
    }
    return null;
  }
}
