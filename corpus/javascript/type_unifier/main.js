// Infers the types of small functional programs, by unification.

class TypeMismatch extends Error {}

const variable = (id) => ({ tag: 'variable', id });
const construct = (name, ...args) => ({ tag: 'constructor', name, args });
const NUMBER = construct('number');
const TEXT = construct('text');
const BOOL = construct('bool');
const arrow = (...types) => types.reduceRight((result, argument) => construct('->', argument, result));
const listOf = (type) => construct('list', type);

function createInference() {
  const bindings = new Map();
  let next = 0;

  const fresh = () => variable(next++);

  /** Follows bindings at the top of a type. */
  function prune(type) {
    return type.tag === 'variable' && bindings.has(type.id) ? prune(bindings.get(type.id)) : type;
  }

  function occurs(id, type) {
    const pruned = prune(type);
    if (pruned.tag === 'variable') return pruned.id === id;
    return pruned.args.some((argument) => occurs(id, argument));
  }

  function unify(one, other) {
    const [a, b] = [prune(one), prune(other)];
    if (a.tag === 'variable') {
      if (b.tag === 'variable' && a.id === b.id) return;
      if (occurs(a.id, b)) throw new TypeMismatch(`infinite type ${show(a)} = ${show(b)}`);
      bindings.set(a.id, b);
    } else if (b.tag === 'variable') {
      unify(b, a);
    } else if (a.name !== b.name || a.args.length !== b.args.length) {
      throw new TypeMismatch(`${show(a)} is not ${show(b)}`);
    } else {
      a.args.forEach((argument, i) => unify(argument, b.args[i]));
    }
  }

  /** Names variables 'a, 'b, ... in the order of their appearance. */
  function show(type, names = new Map()) {
    const pruned = prune(type);
    if (pruned.tag === 'variable') {
      if (!names.has(pruned.id)) names.set(pruned.id, `'${String.fromCharCode(97 + names.size)}`);
      return names.get(pruned.id);
    }
    const { name, args } = pruned;
    if (name !== '->') return [name, ...args.map((argument) => show(argument, names))].join(' ');
    const left = show(args[0], names);
    return `${prune(args[0]).name === '->' ? `(${left})` : left} -> ${show(args[1], names)}`;
  }

  function freeVariables(type) {
    const pruned = prune(type);
    return pruned.tag === 'variable' ? [pruned.id] : pruned.args.flatMap(freeVariables);
  }

  /** Variables that only this type knows may differ from use to use. */
  function generalise(type, scope) {
    const bound = new Set(Object.values(scope).flatMap(({ type: known, open }) =>
      freeVariables(known).filter((id) => !open.has(id)),
    ));
    return { type, open: new Set(freeVariables(type).filter((id) => !bound.has(id))) };
  }

  function instantiate({ type, open }) {
    const copies = new Map();
    const copy = (part) => {
      const pruned = prune(part);
      if (pruned.tag === 'constructor') return construct(pruned.name, ...pruned.args.map(copy));
      if (!open.has(pruned.id)) return pruned;
      if (!copies.has(pruned.id)) copies.set(pruned.id, fresh());
      return copies.get(pruned.id);
    };
    return copy(type);
  }

  function infer(node, scope) {
    if (typeof node === 'number') return NUMBER;
    if (typeof node === 'boolean') return BOOL;
    if (typeof node === 'string') {
      if (node.startsWith('"')) return TEXT;
      if (!Object.hasOwn(scope, node)) throw new TypeMismatch(`unknown name ${node}`);
      return instantiate(scope[node]);
    }
    const [form, ...rest] = node;
    return forms[form](rest, scope);
  }

  const forms = {
    fn([name, body], scope) {
      const argument = fresh();
      const inner = { ...scope, [name]: { type: argument, open: new Set() } };
      return arrow(argument, infer(body, inner));
    },
    call([callee, ...args], scope) {
      const result = fresh();
      unify(infer(callee, scope), arrow(...args.map((arg) => infer(arg, scope)), result));
      return result;
    },
    let([name, value, body], scope) {
      return infer(body, { ...scope, [name]: generalise(infer(value, scope), scope) });
    },
    seq([first, last], scope) {
      infer(first, scope);
      return infer(last, scope);
    },
    if([condition, yes, no], scope) {
      unify(infer(condition, scope), BOOL);
      const type = infer(yes, scope);
      unify(type, infer(no, scope));
      return type;
    },
  };

  return { infer, show, fresh, generalise };
}

function typeOf(program) {
  const { infer, show, fresh, generalise } = createInference();
  const [a, b] = [fresh(), fresh()];
  const library = {
    add: arrow(NUMBER, NUMBER, NUMBER),
    less: arrow(NUMBER, NUMBER, BOOL),
    nil: listOf(a),
    cons: arrow(a, listOf(a), listOf(a)),
    map: arrow(arrow(a, b), listOf(a), listOf(b)),
  };
  const scope = {};
  for (const [name, type] of Object.entries(library)) scope[name] = generalise(type, scope);
  return show(infer(program, scope));
}

const programs = [
  ['fn', 'x', ['call', 'add', 'x', 1]],
  ['fn', 'f', ['fn', 'x', ['call', 'f', ['call', 'f', 'x']]]],
  ['let', 'id', ['fn', 'x', 'x'], ['if', ['call', 'id', true], ['call', 'id', '"yes"'], '"no"']],
  ['call', 'map', ['fn', 'x', ['call', 'less', 'x', 3]]],
  ['call', 'cons', 1, ['call', 'cons', '"two"', 'nil']],
  ['fn', 'x', ['call', 'x', 'x']],
  ['fn', 'g', ['if', ['call', 'g', 1], 'g', 'nowhere']],
];
for (const program of programs) {
  try {
    console.log(typeOf(program));
  } catch (error) {
    console.log(`${error instanceof TypeMismatch ? 'mismatch' : 'error'}: ${error.message}`);
  }
}
