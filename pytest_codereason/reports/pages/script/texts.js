// The long texts of answers. A small page holds them; a large one loads them from scripts beside it.

class Texts {
  constructor(place) {
    this.place = place;
    this.chunks = new Map();
    this.waiting = new Map();
    window.codereasonTexts = (number, chunk) => this.chunks.set(number, chunk);
  }

  // The texts of an answer: { expected, answer, response, steps, audit }, each text a string or null.
  async read(row) {
    const { starts } = this.place;
    let number = starts.length - 1;
    while (number > 0 && starts[number] > row) number -= 1;
    const chunk = await this.load(number);
    const text = (place) => (place === null || place === undefined ? null : chunk.texts[place]);
    const packed = chunk.rows[row - starts[number]];
    return {
      expected: text(packed.expected),
      answer: text(packed.answer),
      response: text(packed.response),
      traceback: text(packed.traceback),
      audit: packed.audit || [],
      steps: (packed.steps || []).map((step) => ({
        messages: step.messages.map(([role, place]) => ({ role, content: text(place) || "" })),
        prefill: text(step.prefill),
        response: text(step.response),
        reasoning: text(step.reasoning),
        finish: step.finish,
      })),
    };
  }

  async load(number) {
    if (!this.place.folder && !this.chunks.size) {
      readEmbedded("texts").forEach((chunk, place) => this.chunks.set(place, chunk));
    }
    if (!this.chunks.has(number)) await this.loadScript(number);
    return this.chunks.get(number);
  }

  loadScript(number) {
    if (!this.waiting.has(number)) {
      const path = `${this.place.folder}/${String(number).padStart(3, "0")}.js`;
      this.waiting.set(
        number,
        new Promise((resolve, reject) => {
          document.head.append(
            build("script", {
              src: path,
              load: resolve,
              error: () => {
                this.waiting.delete(number);
                reject(
                  new Error(
                    `The texts of this answer are in ${path}, which is not beside this page. ` +
                      `Copy the folder ${this.place.folder} together with the page.`,
                  ),
                );
              },
            }),
          );
        }),
      );
    }
    return this.waiting.get(number);
  }
}
