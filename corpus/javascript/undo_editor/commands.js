'use strict';

class Command {
  apply() {
    throw new Error('a command must say how it is applied');
  }

  revert() {
    throw new Error('a command must say how it is reverted');
  }

  /** Takes a following command into this one, if they are one action for the user. */
  absorb() {
    return false;
  }
}

class Insert extends Command {
  constructor(at, text) {
    super();
    this.at = at;
    this.text = text;
  }

  apply(text) {
    return text.slice(0, this.at) + this.text + text.slice(this.at);
  }

  revert(text) {
    return text.slice(0, this.at) + text.slice(this.at + this.text.length);
  }

  absorb(next) {
    const continues = next instanceof Insert && next.at === this.at + this.text.length;
    if (!continues || this.text.endsWith(' ')) return false;
    this.text += next.text;
    return true;
  }
}

class Erase extends Command {
  constructor(from, to) {
    super();
    this.from = from;
    this.to = to;
    this.erased = '';
  }

  apply(text) {
    this.erased = text.slice(this.from, this.to);
    return text.slice(0, this.from) + text.slice(this.to);
  }

  revert(text) {
    return text.slice(0, this.from) + this.erased + text.slice(this.from);
  }
}

/** Several commands that are done and undone together. */
class Batch extends Command {
  constructor(commands) {
    super();
    this.commands = commands;
  }

  apply(text) {
    return this.commands.reduce((current, command) => command.apply(current), text);
  }

  revert(text) {
    return this.commands.reduceRight((current, command) => command.revert(current), text);
  }
}

function replaceAll(text, word, replacement) {
  const commands = [];
  if (word === '') return new Batch(commands);
  for (let at = text.lastIndexOf(word); at >= 0; at = text.slice(0, at).lastIndexOf(word)) {
    commands.push(new Erase(at, at + word.length), new Insert(at, replacement));
  }
  return new Batch(commands);
}

module.exports = { Insert, Erase, Batch, replaceAll };
