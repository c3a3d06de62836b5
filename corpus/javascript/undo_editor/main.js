'use strict';

const { Insert, Erase, replaceAll } = require('./commands');

class Editor {
  #text = '';
  #done = [];
  #undone = [];
  #savedAt = 0;

  constructor(limit = 100) {
    this.limit = limit;
  }

  run(command) {
    this.#text = command.apply(this.#text);
    this.#undone = [];
    if (this.#savedAt > this.#done.length) this.#savedAt = NaN; // the saved text is out of reach
    if (this.#done.at(-1)?.absorb(command)) {
      if (!this.dirty) this.#savedAt = NaN;
      return this;
    }
    this.#done.push(command);
    if (this.#done.length > this.limit) {
      this.#done.shift();
      this.#savedAt -= 1;
    }
    return this;
  }

  type(text, at = this.#text.length) {
    if (at > this.#text.length) return this.type(text);
    for (const [i, char] of [...text].entries()) this.run(new Insert(at + i, char));
    return this;
  }

  undo() {
    const command = this.#done.pop();
    if (command === undefined) return false;
    this.#text = command.revert(this.#text);
    this.#undone.push(command);
    return true;
  }

  redo() {
    const command = this.#undone.pop();
    if (command === undefined) return false;
    this.#text = command.apply(this.#text);
    this.#done.push(command);
    return true;
  }

  save() {
    this.#savedAt = this.#done.length;
  }

  get dirty() {
    return this.#savedAt !== this.#done.length;
  }

  get text() {
    return this.#text;
  }
}

const editor = new Editor(4);
const show = (what) => console.log(what.padEnd(8), `"${editor.text}"`, editor.dirty ? '*' : '');

editor.type('the cat saw');
show('type');
editor.type(' the cat').run(new Erase(0, 3)).type('A', 0);
show('edit');
editor.save();
editor.run(replaceAll(editor.text, 'cat', 'catfish'));
show('replace');
editor.undo();
show('undo');
editor.redo();
editor.undo();
editor.undo();
show('back');
editor.type('One', 0);
console.log('redo', editor.redo());
show('typed');
let steps = 0;
while (editor.undo()) steps += 1;
show(`undo ${steps}`);
