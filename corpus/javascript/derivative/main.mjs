import { Var, sum, product, power } from './nodes.mjs';
import { Derivative, simplifier, printer, evaluator } from './visitors.mjs';

const [x, y] = ['x', 'y'].map((name) => new Var(name));

function derive(node, name, times = 1) {
  let current = node.accept(simplifier);
  for (let i = 0; i < times; i++) current = current.accept(new Derivative(name)).accept(simplifier);
  return current;
}

const formulas = [
  sum(product(3, power(x, 2)), product(2, x), 7),
  product(sum(x, 1), sum(x, -1)),
  power(sum(power(x, 2), y), 3),
  product(y, 4, y),
];

for (const formula of formulas) {
  console.log(formula.accept(printer), '=>', derive(formula, 'x').accept(printer));
}
const first = derive(formulas[2], 'x');
console.log(first.accept(evaluator({ x: 1, y: 2 })));
console.log(derive(formulas[0], 'x', 2).accept(printer), derive(formulas[3], 'y').accept(printer));
console.log(formulas[0].accept(evaluator({})));
