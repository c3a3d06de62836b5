'use strict';

const { PluginHost } = require('./host');
const createCommands = require('./plugins/commands');

const echo = {
  name: 'echo',
  needs: ['commands'],
  command: (text) => (text.endsWith('?') ? `you ask: ${text}` : undefined),
};

function say(host, text) {
  const { answer, by } = host.bail('command', text);
  const shown = by === null ? host.waterfall('transform', text) : `${answer} (${by})`;
  console.log(`${text} -> ${shown}`);
}

const emoji = require('./plugins/emoji');
const words = require('./plugins/words');

const host = new PluginHost().use(echo, createCommands('/'), emoji, words);
console.log(host.plugins.map(({ name }) => name).join(' '));
const texts = 'Darn it :(|/shout hello there|/block it|it is darn late :)|/dance|why?|/count a b c';
texts.split('|').forEach((text) => say(host, text));
console.log(host.collect('priority'), host.collect('missing'));

const troubles = [
  [{ name: 'a', needs: ['b'] }, { name: 'b', needs: ['c'] }, { name: 'c', needs: ['a'] }],
  [{ name: 'late', needs: ['words', 'early'] }],
  [{ name: 'rival', setup: (owner) => owner.provide('blocklist', null) }],
];
for (const plugins of troubles) {
  try {
    host.use(...plugins);
  } catch ({ message }) {
    console.log(message);
  }
}
