'use strict';

// Things of a small game, put together from mixins: functions from a class to a subclass.

class Entity {
  static #count = 0;

  constructor(name) {
    this.name = name;
    this.id = ++Entity.#count;
  }

  describe() {
    return [this.name];
  }

  update() {}

  toString() {
    return this.describe().join(', ');
  }
}

const Positioned = (Base) =>
  class extends Base {
    position = { x: 0, y: 0 };

    at(x, y) {
      this.position = { x, y };
      return this;
    }

    distanceTo({ position: { x, y } }) {
      return Math.max(Math.abs(this.position.x - x), Math.abs(this.position.y - y));
    }

    describe() {
      const { x, y } = this.position;
      return [...super.describe(), `at ${x}/${y}`];
    }
  };

const Moving = (Base, speed = 1) =>
  class extends Positioned(Base) {
    path = [];

    goTo(x, y) {
      this.path.push({ x, y });
      return this;
    }

    update(world) {
      super.update(world);
      for (let steps = 0; steps < speed && this.path.length > 0; steps++) this.step();
    }

    step() {
      const [goal] = this.path;
      this.position.x += Math.sign(goal.x - this.position.x);
      this.position.y += Math.sign(goal.y - this.position.y);
      if (this.position.x === goal.x && this.position.y === goal.y) this.path.shift();
    }
  };

const Mortal = (Base, most) =>
  class extends Base {
    health = most;

    get alive() {
      return this.health > 0;
    }

    suffer(damage) {
      const taken = Math.min(this.health, this.resist(damage));
      this.health -= taken;
      return taken;
    }

    resist(damage) {
      return damage;
    }

    heal(points) {
      if (this.alive) this.health = Math.min(most, this.health + points);
    }

    describe() {
      return [...super.describe(), this.alive ? `${this.health}/${most}` : 'dead'];
    }
  };

const Armoured = (Base, armour) =>
  class extends Base {
    resist(damage) {
      return Math.max(1, super.resist(damage) - armour);
    }
  };

const Fighting = (Base, { power, reach = 1 }) =>
  class extends Base {
    kills = 0;

    update(world) {
      super.update(world);
      const victim = world.find((other) => other !== this && other.alive && this.canHit(other));
      if (victim) this.hit(victim, world);
    }

    canHit(other) {
      return other.team !== this.team && this.distanceTo(other) <= reach;
    }

    hit(victim, world) {
      const taken = victim.suffer(power);
      world.note(`${this.name} hits ${victim.name} for ${taken}`);
      if (!victim.alive) this.kills += 1;
    }
  };

/** Applies mixins from left to right; each may have arguments. */
const mix = (Base, ...mixins) => mixins.reduce((Class, [mixin, ...args]) => mixin(Class, ...args), Base);

const Knight = mix(Entity, [Moving], [Mortal, 20], [Armoured, 3], [Fighting, { power: 6 }]);
const Archer = mix(Entity, [Moving, 2], [Mortal, 10], [Fighting, { power: 4, reach: 4 }]);
const Tower = mix(Entity, [Positioned], [Mortal, 30], [Armoured, 2], [Armoured, 1]);

class Troll extends mix(Entity, [Positioned], [Mortal, 15], [Fighting, { power: 9 }]) {
  update(world) {
    this.heal(2);
    if (this.health < 4) return world.note(`${this.name} limps`);
    return super.update(world);
  }

  describe() {
    return [...super.describe(), `${this.kills} kills`];
  }
}

class World {
  #things = [];
  #log = [];

  add(team, ...things) {
    for (const thing of things) {
      if (this.#things.includes(thing)) throw new Error(`${thing.name} is in the world`);
      this.#things.push(Object.assign(thing, { team }));
    }
    return this;
  }

  find(test) {
    return this.#things.find(test);
  }

  survivors(team) {
    return this.#things.filter((thing) => thing.team === team && thing.alive);
  }

  note(text) {
    this.#log.push(text);
  }

  tick() {
    for (const thing of this.#things.filter(({ alive }) => alive)) {
      if (thing.alive) thing.update(this);
    }
    return this.#log.splice(0);
  }

  toString() {
    return this.#things.join('; ');
  }
}

const knight = new Knight('knight').at(0, 0).goTo(4, 2);
const archer = new Archer('archer').at(0, 3).goTo(1, 3);
const world = new World().add('day', knight, archer, new Tower('tower').at(6, 2));
world.add('night', new Troll('troll').at(5, 2));
for (let round = 1; round <= 6; round++) {
  const log = world.tick();
  if (log.length > 0) console.log(`${round}: ${log.join(', ')}`);
}
console.log(`${world}`);
console.log(archer instanceof Entity, knight.distanceTo(archer), knight.kills + archer.kills);
