'use strict';

/** A piece of SQL with the values that belong to its question marks. */
class Fragment {
  constructor(text, values) {
    this.text = text;
    this.values = values;
    Object.freeze(this);
  }

  static join(fragments, separator) {
    return new Fragment(
      fragments.map((fragment) => fragment.text).join(separator),
      fragments.flatMap((fragment) => fragment.values),
    );
  }

  toString() {
    return `${this.text} <- [${this.values.map((value) => JSON.stringify(value)).join(', ')}]`;
  }
}

/** Tag of templates: values become question marks, fragments become part of the text. */
function sql(strings, ...values) {
  return values.reduce((before, value, i) => {
    const piece = toFragment(value);
    return new Fragment(before.text + piece.text + strings[i + 1], [...before.values, ...piece.values]);
  }, new Fragment(strings[0], []));
}

function toFragment(value) {
  if (value instanceof Fragment) return value;
  if (value instanceof Query) return sql`(${value.build()})`;
  if (Array.isArray(value)) return Fragment.join(value.map(toFragment), ', ');
  if (value === null) return new Fragment('NULL', []);
  return new Fragment('?', [value]);
}

/** Names cannot be given as values, so they are checked. */
function name(text) {
  if (!/^[a-z_]+(\.[a-z_]+)?$/.test(text)) throw new TypeError(`bad name: ${text}`);
  return new Fragment(text, []);
}

const either = (...conditions) => sql`(${Fragment.join(conditions, ' OR ')})`;

function matching(example) {
  return Object.entries(example).map(([column, value]) => {
    if (Array.isArray(value)) return value.length > 0 ? sql`${name(column)} IN (${value})` : sql`FALSE`;
    return value === null ? sql`${name(column)} IS NULL` : sql`${name(column)} = ${value}`;
  });
}

/** An immutable query: each method returns a new one. */
class Query {
  #parts;

  constructor(parts) {
    this.#parts = parts;
  }

  static from(table) {
    return new Query({ table: name(table), columns: [], joins: [], where: [], order: [], limit: null });
  }

  #with(key, change) {
    return new Query({ ...this.#parts, [key]: change(this.#parts[key]) });
  }

  select(...columns) {
    return this.#with('columns', (old) => [...old, ...columns.map(name)]);
  }

  join(table, on) {
    return this.#with('joins', (old) => [...old, sql`JOIN ${name(table)} ON ${on}`]);
  }

  where(...conditions) {
    const added = conditions.flatMap((one) => (one instanceof Fragment ? one : matching(one)));
    return this.#with('where', (old) => [...old, ...added]);
  }

  orderBy(column, direction = 'asc') {
    const words = { asc: '', desc: ' DESC' };
    if (!Object.hasOwn(words, direction)) throw new TypeError(`bad direction: ${direction}`);
    return this.#with('order', (old) => [...old, sql`${name(column)}${new Fragment(words[direction], [])}`]);
  }

  take(count) {
    return this.#with('limit', (old) => Math.min(old ?? Infinity, count));
  }

  exists() {
    return sql`SELECT EXISTS ${this}`;
  }

  build() {
    const { table, columns, joins, where, order, limit } = this.#parts;
    const clauses = [
      columns.length > 0 ? sql`SELECT ${columns}` : sql`SELECT *`,
      sql`FROM ${table}`,
      ...joins,
      where.length > 0 && sql`WHERE ${Fragment.join(where, ' AND ')}`,
      order.length > 0 && sql`ORDER BY ${order}`,
      limit !== null && sql`LIMIT ${limit}`,
    ];
    return Fragment.join(clauses.filter(Boolean), ' ');
  }
}

const books = Query.from('books');
const novels = books.select('id', 'title').where({ kind: 'novel', lost: null });
const recent = novels.orderBy('year', 'desc').orderBy('id');
const queries = [
  books,
  recent.take(9).take(5).take(7),
  recent.where(either(sql`year > ${1990}`, ...matching({ author: "O'Neil" }))),
  books.where({ id: ['a1', 'b2'], shelf: [] }).where(sql`author IN ${Query.from('authors').select('id')}`),
  books.join('loans', sql`loans.book = books.id AND loans.open = ${true}`).select('books.title'),
];
queries.forEach((query) => console.log(query.build().toString()));
try {
  books.orderBy('title; DROP TABLE books');
} catch ({ name: kind, message }) {
  console.log(kind, message);
}
