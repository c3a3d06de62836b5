/** Huffman coding as a module with few public functions. */
const huffman = (() => {
  const leaf = (symbol, weight) => ({ symbol, weight, first: symbol });

  const branch = (left, right) => ({
    left,
    right,
    weight: left.weight + right.weight,
    first: left.first < right.first ? left.first : right.first,
  });

  // Lighter trees come first; among equals the one with the smallest symbol.
  const lighter = (a, b) => a.weight - b.weight || (a.first < b.first ? -1 : 1);

  function countSymbols(text) {
    const counts = {};
    for (const symbol of text) counts[symbol] = (counts[symbol] || 0) + 1;
    return counts;
  }

  function grow(forest) {
    if (forest.length === 1) return forest[0];
    const [left, right, ...rest] = [...forest].sort(lighter);
    return grow([...rest, branch(left, right)]);
  }

  function* codes(tree, path = '') {
    if (tree.symbol !== undefined) {
      yield [tree.symbol, path || '0'];
    } else {
      yield* codes(tree.left, path + '0');
      yield* codes(tree.right, path + '1');
    }
  }

  /** Codes of the same lengths, but numbered in order, so that the lengths alone suffice. */
  function canonical(lengths) {
    const ordered = Object.entries(lengths).sort(([a, m], [b, n]) => m - n || (a < b ? -1 : 1));
    const table = new Map();
    let code = 0;
    let previous = ordered[0]?.[1] ?? 0;
    for (const [symbol, length] of ordered) {
      code <<= length - previous;
      table.set(symbol, code.toString(2).padStart(length, '0'));
      code += 1;
      previous = length;
    }
    return table;
  }

  return {
    lengths(text) {
      if (text === '') return {};
      const tree = grow(Object.entries(countSymbols(text)).map(([symbol, n]) => leaf(symbol, n)));
      return Object.fromEntries([...codes(tree)].map(([symbol, { length }]) => [symbol, length]));
    },

    table(text) {
      return canonical(this.lengths(text));
    },

    encode(text, table = this.table(text)) {
      return Array.from(text, (symbol) => {
        if (!table.has(symbol)) throw new RangeError(`no code for "${symbol}"`);
        return table.get(symbol);
      }).join('');
    },

    decode(bits, table) {
      const symbols = new Map([...table].map(([symbol, code]) => [code, symbol]));
      let text = '';
      let pending = '';
      for (const bit of bits) {
        pending += bit;
        if (symbols.has(pending)) {
          text += symbols.get(pending);
          pending = '';
        }
      }
      if (pending !== '') throw new RangeError(`${pending} is left over`);
      return text;
    },

    entropy(text) {
      const shares = Object.values(countSymbols(text)).map((count) => count / [...text].length);
      return shares.reduce((sum, share) => sum - share * Math.log2(share), 0);
    },

    savings(text) {
      return 1 - this.encode(text).length / (8 * [...text].length);
    },

    isPrefixFree: (table) =>
      [...table.values()].every((code, i, all) => !all.some((other, j) => i !== j && other.startsWith(code))),
  };
})();

function pack(bits) {
  if (/[^01]/.test(bits)) throw new TypeError('bits are 0 and 1');
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2).toString(16).padStart(2, '0')).join('');
}

const { lengths, isPrefixFree } = huffman;

for (const text of ['abracadabra', 'zzzz', 'she sells sea shells']) {
  const table = huffman.table(text);
  const bits = huffman.encode(text);
  console.log([...table].map(([symbol, code]) => `${symbol}=${code}`).join(' '));
  console.log(`${bits.length} bits, ${huffman.entropy(text).toFixed(2)} a symbol, ${pack(bits)}`);
  console.log(isPrefixFree(table), huffman.decode(bits, table) === text);
}
console.log(Object.keys(lengths('')).length, `"${huffman.encode('')}"`);
const table = huffman.table('aab');
for (const [text, bits] of [['aba', '01'], ['abc', '110'], ['b', '']]) {
  try {
    console.log(huffman.encode(text, table), `"${huffman.decode(bits, huffman.table('abbcc'))}"`);
  } catch (error) {
    console.log(error.message);
  }
}
