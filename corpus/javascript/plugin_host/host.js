'use strict';

/**
 * Loads plugins in the order of their needs, and runs hooks through them. A plugin is an
 * object with a name, perhaps `needs`, and methods that are called like the hooks.
 */
class PluginHost {
  constructor() {
    this.plugins = [];
    this.services = {};
  }

  use(...plugins) {
    for (const plugin of resolveOrder(plugins, this.plugins)) {
      plugin.setup?.(this);
      this.plugins.push(plugin);
    }
    return this;
  }

  provide(name, service) {
    if (Object.hasOwn(this.services, name)) throw new Error(`service ${name} is taken`);
    this.services[name] = service;
  }

  /** Hands a value from plugin to plugin. */
  waterfall(hook, value) {
    return this.withHook(hook).reduce((current, plugin) => plugin[hook](current, this) ?? current, value);
  }

  /** Asks one plugin after the other until one answers. */
  bail(hook, ...args) {
    for (const plugin of this.withHook(hook)) {
      const answer = plugin[hook](...args);
      if (answer !== undefined) return { answer, by: plugin.name };
    }
    return { answer: undefined, by: null };
  }

  collect(hook, ...args) {
    return this.withHook(hook).map((plugin) => plugin[hook](...args));
  }

  withHook(hook) {
    return this.plugins.filter((plugin) => typeof plugin[hook] === 'function');
  }
}

function resolveOrder(plugins, present) {
  const known = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const done = new Set(present.map(({ name }) => name));
  const order = [];
  const visit = (plugin, path) => {
    if (done.has(plugin.name)) return;
    if (path.includes(plugin.name)) {
      const circle = [...path.slice(path.indexOf(plugin.name)), plugin.name];
      throw new Error(`circle: ${circle.join(' > ')}`);
    }
    for (const need of plugin.needs ?? []) {
      if (done.has(need)) continue;
      const needed = known.get(need);
      if (!needed) throw new Error(`${plugin.name} needs ${need}`);
      visit(needed, [...path, plugin.name]);
    }
    done.add(plugin.name);
    order.push(plugin);
  };
  plugins.forEach((plugin) => visit(plugin, []));
  return order;
}

module.exports = { PluginHost };
