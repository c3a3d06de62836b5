'use strict';

let blocked = [];

const plugin = {
  name: 'words',
  setup(host) {
    blocked = ['darn'];
    host.provide('blocklist', { add: (word) => blocked.push(word), size: () => blocked.length });
  },
  transform(text, { services }) {
    if (services.blocklist.size() === 0) return undefined;
    return text
      .split(' ')
      .map((word) => (blocked.includes(word.toLowerCase()) ? word[0].padEnd(word.length, '*') : word))
      .join(' ');
  },
};

module.exports = plugin;
