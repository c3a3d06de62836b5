// Cooperative tasks: generators that yield requests, and a scheduler that answers them.

const send = (channel, value) => ({ request: "send", channel, value });
const receive = (channel) => ({ request: "receive", channel });
const sleep = (ticks) => ({ request: "sleep", ticks });
const pause = () => ({ request: "pause" });
const spawn = (name, body) => ({ request: "spawn", name, body });

class Channel {
  buffer = [];
  senders = [];
  receivers = [];
  closed = false;

  constructor(capacity = 0) {
    this.capacity = capacity;
  }

  close() {
    this.closed = true;
  }
}

class Scheduler {
  #ready = [];
  #asleep = [];
  #now = 0;
  #live = new Set();
  failures = [];

  start(name, body) {
    const task = { name, steps: body() };
    this.#live.add(name);
    this.#resume(task);
    return task;
  }

  #resume(task, value) {
    this.#ready.push({ task, value });
  }

  /** Runs until nobody can go on, and tells how it ended. */
  run() {
    while (this.#ready.length > 0 || this.#asleep.length > 0) {
      if (this.#ready.length === 0) this.#wake();
      const { task, value } = this.#ready.shift();
      this.#step(task, value);
    }
    return { time: this.#now, stuck: [...this.#live] };
  }

  #wake() {
    this.#now = Math.min(...this.#asleep.map(({ until }) => until));
    const due = this.#asleep.filter(({ until }) => until === this.#now);
    this.#asleep = this.#asleep.filter(({ until }) => until > this.#now);
    due.forEach(({ task }) => this.#resume(task));
  }

  #step(task, value) {
    try {
      const { done, value: wish } = task.steps.next(value);
      if (done) this.#live.delete(task.name);
      else this[wish.request](task, wish);
    } catch (error) {
      this.#live.delete(task.name);
      this.failures.push(`${task.name}: ${error.message}`);
    }
  }

  send(task, { channel, value }) {
    if (channel.closed) throw new Error("channel is closed");
    const receiver = channel.receivers.shift();
    if (receiver) this.#resume(receiver, value);
    else if (channel.buffer.length < channel.capacity) channel.buffer.push(value);
    else {
      channel.senders.push({ task, value });
      return;
    }
    this.#resume(task);
  }

  receive(task, { channel }) {
    const waiting = channel.senders.shift();
    if (waiting) {
      channel.buffer.push(waiting.value);
      this.#resume(waiting.task);
    }
    if (channel.buffer.length > 0) this.#resume(task, channel.buffer.shift());
    else if (channel.closed) this.#resume(task, undefined);
    else channel.receivers.push(task);
  }

  sleep(task, { ticks }) {
    this.#asleep.push({ task, until: this.#now + ticks });
  }

  pause(task) {
    this.#resume(task);
  }

  spawn(task, { name, body }) {
    this.#resume(task, this.start(name, body));
  }
}

const log = [];
const orders = new Channel(1);
const meals = new Channel();

function* waiter() {
  for (const dish of ["soup", "pie", "tea"]) {
    yield send(orders, dish);
    log.push(`ordered ${dish}`);
  }
  orders.close();
}

function* cook() {
  const minutes = { soup: 4, pie: 9 };
  for (let dish = yield receive(orders); dish !== undefined; dish = yield receive(orders)) {
    if (orders.buffer.length > 1) yield pause();
    yield sleep(minutes[dish] ?? 1);
    yield send(meals, `hot ${dish}`);
  }
}

function* guest() {
  for (let i = 0; i < 3; i++) log.push(`eats ${yield receive(meals)}`);
  yield send(orders, "cake");
}

function* manager() {
  yield spawn("waiter", waiter);
  yield spawn("cook", cook);
  yield spawn("guest", guest);
  yield receive(new Channel());
}

const scheduler = new Scheduler();
scheduler.start("manager", manager);
const { time, stuck } = scheduler.run();
log.forEach((line) => console.log(line));
console.log(`time ${time}, stuck: ${stuck.join()}, failed: ${scheduler.failures.join()}`);
