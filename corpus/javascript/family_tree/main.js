// Persons in the older style: a constructor function and methods on its prototype.

function Person(name, sex, born) {
  this.name = name;
  this.sex = sex;
  this.born = born;
  this.parents = [];
  this.children = [];
}

Person.prototype.addChild = function (child, partner) {
  const parents = partner ? [this, partner] : [this];
  const tooYoung = parents.find((parent) => parent.born >= child.born);
  if (tooYoung) throw new RangeError(`${child.name} is not younger than ${tooYoung.name}`);
  for (const parent of parents) {
    parent.children.push(child);
    child.parents.push(parent);
  }
  return child;
};

Object.defineProperty(Person.prototype, 'siblings', {
  get() {
    const all = this.parents.flatMap((parent) => parent.children);
    return [...new Set(all)].filter((person) => person !== this);
  },
});

Person.prototype.ancestors = function* (distance = 1) {
  for (const parent of this.parents) {
    yield { person: parent, distance };
    yield* parent.ancestors(distance + 1);
  }
};

Person.prototype.descendants = function* () {
  const inOrder = [...this.children].sort((a, b) => a.born - b.born);
  for (const child of inOrder) {
    yield child;
    yield* child.descendants();
  }
};

Person.prototype.isHalfSiblingOf = function (other) {
  return other !== this && this.parents.filter((parent) => other.parents.includes(parent)).length === 1;
};

Person.prototype.toString = function () {
  return `${this.name} (${this.born})`;
};

function Monarch(name, sex, born, realm) {
  Person.call(this, name, sex, born);
  this.realm = realm;
}

Monarch.prototype = Object.create(Person.prototype, {
  constructor: { value: Monarch },
});

/** Sons before daughters, each followed by the own line. */
Monarch.prototype.heirs = function () {
  const rank = (person) => (person.sex === 'm' ? 0 : 1);
  const line = (person) => {
    const children = [...person.children].sort((a, b) => rank(a) - rank(b) || a.born - b.born);
    return children.flatMap((child) => [child, ...line(child)]);
  };
  return line(this);
};

Monarch.prototype.toString = function () {
  return `${Person.prototype.toString.call(this)} of ${this.realm}`;
};

function closestCommonAncestor(one, other) {
  let best = null;
  const lines = [...other.ancestors()];
  for (const { person, distance } of one.ancestors()) {
    const match = lines.find((line) => line.person === person);
    if (match && (best === null || distance + match.distance < best.sum)) {
      best = { person, sum: distance + match.distance, up: distance, down: match.distance };
    }
  }
  return best;
}

function kinship(one, other) {
  if (one === other) return 'the same';
  const direct = (from, to) => [...from.ancestors()].find(({ person }) => person === to)?.distance;
  const greats = (distance) => 'great-'.repeat(Math.max(0, distance - 2)) + (distance > 1 ? 'grand' : '');
  if (direct(one, other)) return `${greats(direct(one, other))}parent`;
  if (direct(other, one)) return `${greats(direct(other, one))}child`;
  const common = closestCommonAncestor(one, other);
  if (common === null) return 'not related';
  const { up, down } = common;
  if (up === 1 && down === 1) return 'sibling';
  if (down === 1) return `${'great-'.repeat(up - 2)}${other.sex === 'm' ? 'uncle' : 'aunt'}`;
  if (up === 1) return `${'great-'.repeat(down - 2)}${other.sex === 'm' ? 'nephew' : 'niece'}`;
  return `cousin of degree ${Math.min(up, down) - 1}`;
}

const queen = new Monarch('Maud', 'f', 1800, 'Lorn');
const anna = queen.addChild(new Person('Anna', 'f', 1820));
const boris = queen.addChild(new Person('Boris', 'm', 1824));
const carl = new Person('Carl', 'm', 1815);
const dora = anna.addChild(new Person('Dora', 'f', 1845), carl);
const emil = anna.addChild(new Person('Emil', 'm', 1850), carl);
const finn = boris.addChild(new Person('Finn', 'm', 1849));
const gita = dora.addChild(new Person('Gita', 'f', 1870));

console.log(`${queen}: ${queen.heirs().map((person) => person.name)}`);
console.log(Array.from(queen.descendants(), String).join(', '));
const pairs = [[dora, queen], [queen, gita], [gita, finn], [finn, dora], [anna, finn], [gita, boris]];
for (const [one, other] of pairs) {
  console.log(`${other.name} is to ${one.name}: ${kinship(one, other)}`);
}
console.log(kinship(boris, carl), '/', kinship(dora, emil), '/', dora.siblings.join());
try {
  gita.addChild(new Person('Hugo', 'm', 1868));
} catch (error) {
  console.log(error.message);
}
