// Reads configuration texts: sections in brackets, `key = value` lines, lists, and references
// to other keys such as ${port} or ${server.host}.

class ConfigError extends Error {
  constructor(line, message) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

const convert = (text) => {
  if (/^".*"$/.test(text)) return text.slice(1, -1);
  if (/^[-+]?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (/^(yes|on|true)$/i.test(text)) return true;
  if (/^(no|off|false)$/i.test(text)) return false;
  return text;
};

/** What to do with a line: the first pattern that fits decides. */
const LINES = [
  [/^\s*([;#].*)?$/, () => {}],
  [/^\[(\w+)(?:\s*:\s*(\w+))?\]$/, openSection],
  [/^(\w+)\[\]\s*=\s*(.*)$/, addToList],
  [/^(\w+)\s*=\s*(.*)$/, assign],
  [/^\s+(\S.*)$/, continueLine],
];

function openSection(state, name, parent) {
  if (Object.hasOwn(state.sections, name)) throw new ConfigError(state.line, `section ${name} again`);
  if (parent && !Object.hasOwn(state.sections, parent)) {
    throw new ConfigError(state.line, `no section ${parent}`);
  }
  state.section = state.sections[name] = Object.create(parent ? state.sections[parent] : null);
  state.last = null;
}

function assign(state, key, text) {
  if (Object.hasOwn(state.section, key)) throw new ConfigError(state.line, `${key} again`);
  state.section[key] = text;
  state.last = key;
}

function addToList({ section }, key, text) {
  if (!Object.hasOwn(section, key)) section[key] = [...(section[key] ?? [])];
  section[key].push(text);
}

function continueLine(state, text) {
  if (state.last === null) throw new ConfigError(state.line, 'nothing to continue');
  state.section[state.last] += ` ${text}`;
}

function parse(source) {
  const root = Object.create(null);
  const state = { sections: { global: root }, section: root, last: null, line: 0 };
  for (const raw of source.split('\n')) {
    state.line += 1;
    const text = raw.trimEnd();
    const rule = LINES.find(([pattern]) => pattern.test(text));
    if (!rule) throw new ConfigError(state.line, `cannot read "${text}"`);
    const [pattern, handle] = rule;
    handle(state, ...pattern.exec(text).slice(1));
  }
  return state.sections;
}

class Config {
  constructor(source) {
    this.sections = parse(source);
  }

  raw(section, key) {
    const own = this.sections[section]?.[key];
    return own ?? this.sections.global[key];
  }

  has(path) {
    return this.raw(...splitPath(path)) !== undefined;
  }

  get(path, fallback) {
    const [section, key] = splitPath(path);
    const text = this.raw(section, key);
    if (text === undefined) return fallback;
    if (Array.isArray(text)) return text.map((entry) => convert(this.expand(entry, section, [path])));
    return convert(this.expand(text, section, [path]));
  }

  expand(text, section, active) {
    return text.replace(/\$\{([\w.]+)\}/g, (whole, name) => {
      const path = name.includes('.') ? name : `${section}.${name}`;
      if (active.includes(path)) throw new RangeError(`circle: ${[...active, path].join(' > ')}`);
      const [owner, key] = splitPath(path);
      const value = this.raw(owner, key);
      return value === undefined ? whole : this.expand(String(value), owner, [...active, path]);
    });
  }

  keys(section) {
    const names = [];
    for (const key in this.sections[section]) names.push(key);
    return names.sort();
  }
}

const splitPath = (path) => (path.includes('.') ? path.split('.') : ['global', path]);

const config = new Config(`; a small server
name = "Kiosk 7"
port = 80
title = \${name} on
  port \${port}

[server]
host = kiosk.example
url = http://\${host}:\${port}/
ways[] = /buy
ways[] = /\${test.debug}
[test : server]
port = 8080
debug = on
loop = \${other}
other = <\${loop}>`);

for (const path of 'title server.url test.url server.ways test.debug test.name server.none'.split(' ')) {
  console.log(path, '=', config.get(path, '(none)'));
}
console.log(config.keys('test').join(' '));
const faulty = ['[a]\nx = 1\nx = 2', 'x = 1\n[b : c]', '  lost', 'a == b\n? what'];
const attempts = [() => config.get('test.loop'), ...faulty.map((source) => () => new Config(source))];
for (const attempt of attempts) {
  try {
    attempt();
    console.log('fine');
  } catch (error) {
    console.log(error.message);
  }
}
