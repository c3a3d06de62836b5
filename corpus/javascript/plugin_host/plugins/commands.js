'use strict';

module.exports = function createCommands(prefix) {
  const table = {
    shout: (rest) => rest.toUpperCase(),
    count: (rest) => String(rest.split(/\s+/).filter(Boolean).length),
    help: () => Object.keys(table).join(', '),
  };
  return {
    name: 'commands',
    needs: ['emoji', 'words'],
    setup({ services }) {
      table.block = (word) => `${services.blocklist.add(word)} words`;
    },
    command(text) {
      if (!text.startsWith(prefix)) return undefined;
      const [name, ...rest] = text.slice(prefix.length).split(' ');
      return Object.hasOwn(table, name) ? table[name](rest.join(' ')) : undefined;
    },
    priority: () => 5,
  };
};
