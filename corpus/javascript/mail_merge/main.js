'use strict';

const { applyFilter, register } = require('./filters');

const SECTION = /\{\{([#^])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g;
const FIELD = /\{\{([^#^/{}][^{}]*)\}\}/g;

/** Looks a dotted path up in the innermost scope that knows its first part. */
function lookUp(scopes, path) {
  if (path === '.') return scopes[0].item;
  const [first, ...rest] = path.split('.');
  const scope = scopes.find((candidate) => Object.hasOwn(candidate, first));
  return rest.reduce((value, key) => value?.[key], scope?.[first]);
}

function renderField(scopes, expression) {
  const [path, ...calls] = expression.split('|').map((part) => part.trim());
  const value = calls.reduce(applyFilter, lookUp(scopes, path));
  return value === undefined ? '' : String(value);
}

const isEmpty = (value) => !value || (Array.isArray(value) && value.length === 0);

function toScope(item) {
  return typeof item === 'object' && item !== null ? { ...item, item } : { item };
}

function renderSection(scopes, kind, name, body) {
  const value = lookUp(scopes, name);
  if (kind === '^') return isEmpty(value) ? render(body, scopes) : '';
  if (isEmpty(value)) return '';
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => render(body, [toScope(item), ...scopes])).join('');
}

function render(template, scopes) {
  return template
    .replace(SECTION, (_, kind, name, body) => renderSection(scopes, kind, name, body))
    .replace(FIELD, (_, expression) => renderField(scopes, expression));
}

function* mergeLetters(template, people, shared = {}) {
  for (const person of people) {
    yield render(template, [toScope(person), shared]);
  }
}

register('initials', (value) =>
  String(value)
    .split(' ')
    .map((word) => word[0])
    .join('.'),
);

const template = `Dear {{ name | title }} ({{name|initials|upper}}),
{{#orders}}* {{item.what | limit:8}}: {{price | money}}{{#gift}} (gift for {{.}} from {{company}}){{/gift}}
{{/orders}}{{^orders}}You ordered nothing. {{hint | default:Come back!}}
{{/orders}}{{#address}}To {{city}} in {{address.zip}}{{/address}}`;

const people = [
  {
    name: 'ada byron',
    orders: [
      { what: 'tea', price: 4.5 },
      { what: 'long black coat', price: 120, gift: 'Tom' },
    ],
    address: { city: 'York', zip: 'YO1' },
  },
  { name: 'max', orders: [] },
];

for (const letter of mergeLetters(template, people, { company: 'Finch & Co' })) {
  console.log(letter);
}
try {
  render('{{name | shout}}', [{ name: 'x' }]);
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
