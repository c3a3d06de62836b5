'use strict';

// A dictionary as a tree of letters; nodes have no prototype, so any letter is safe as a key.

const END = Symbol('end');

const createNode = () => Object.create(null);

class Trie {
  #root = createNode();
  #size = 0;

  static from(weights) {
    const trie = new Trie();
    Object.entries(weights).forEach(([word, weight]) => trie.add(word, weight));
    return trie;
  }

  get size() {
    return this.#size;
  }

  add(word, weight = 1) {
    if (word === '') throw new RangeError('a word needs letters');
    const node = [...word].reduce((at, letter) => (at[letter] ??= createNode()), this.#root);
    if (!(END in node)) this.#size += 1;
    node[END] = (node[END] ?? 0) + weight;
    return this;
  }

  #descend(prefix) {
    let node = this.#root;
    for (const letter of prefix) {
      node = node[letter];
      if (node === undefined) return undefined;
    }
    return node;
  }

  weight(word) {
    return this.#descend(word)?.[END] ?? 0;
  }

  /** Removes a word, and the branches that lead to no other word. */
  remove(word) {
    const prune = (node, letters) => {
      if (letters.length === 0) {
        if (!(END in node)) return false;
        delete node[END];
        this.#size -= 1;
        return true;
      }
      const [letter, ...rest] = letters;
      if (!(letter in node) || !prune(node[letter], rest)) return false;
      if (isBare(node[letter])) delete node[letter];
      return true;
    };
    return prune(this.#root, [...word]);
  }

  *words(prefix = '') {
    const node = this.#descend(prefix);
    if (node) yield* walk(node, prefix);
  }

  complete(prefix, count = 3) {
    return [...this.words(prefix)]
      .sort((a, b) => b.weight - a.weight || a.word.length - b.word.length)
      .slice(0, count)
      .map(({ word }) => word);
  }

  /** Words that differ from the given one in at most `errors` letters; lengths are equal. */
  *similar(word, errors = 1) {
    const search = function* (node, at, left) {
      if (at === word.length) {
        if (END in node) yield '';
        return;
      }
      for (const letter of Object.keys(node).sort()) {
        const remaining = left - Number(letter !== word[at]);
        if (remaining < 0) continue;
        for (const ending of search(node[letter], at + 1, remaining)) yield letter + ending;
      }
    };
    if (errors >= word.length) return; // any word would do
    yield* search(this.#root, 0, errors);
  }

  get height() {
    const measure = (node) => Math.max(0, ...Object.values(node).map((child) => 1 + measure(child)));
    return measure(this.#root);
  }
}

function isBare(node) {
  return Object.keys(node).length === 0 && !(END in node);
}

function* walk(node, prefix) {
  if (END in node) yield { word: prefix, weight: node[END] };
  for (const letter of Object.keys(node).sort()) {
    yield* walk(node[letter], prefix + letter);
  }
}

function highlightCommon(words) {
  const [first = '', ...others] = words;
  let length = 0;
  while (length < first.length && others.every((word) => word[length] === first[length])) length += 1;
  return first.slice(0, length);
}

const trie = Trie.from({ car: 8, card: 3, care: 5, cart: 8, cat: 9, dog: 4, do: 7, dot: 1 });
trie.add('dot', 5).add('cedar');

console.log(trie.size, Array.from(trie.words('d'), ({ word, weight }) => `${word}:${weight}`).join(' '));
console.log(trie.complete('ca'), trie.complete('ca', 1), trie.complete('x'));
console.log([...trie.similar('cot')].join(), [...trie.similar('cot', 2)].join());
console.log(trie.remove('car'), trie.remove('car'), trie.remove('ca'), trie.size);
console.log([...trie.words()].map(({ word }) => word).join(' '));
console.log(trie.weight('card'), trie.weight('car'), trie.weight('carpet'));
console.log(trie.remove('cedar'), [...trie.words('ce')].length, `"${highlightCommon(trie.complete('car'))}"`);
