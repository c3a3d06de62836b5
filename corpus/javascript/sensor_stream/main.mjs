import { Stream } from './stream.mjs';

const closed = [];

async function* readings(name, values) {
  try {
    for (const value of values) {
      await null; // a sensor answers later
      yield { name, value };
    }
  } finally {
    closed.push(name);
  }
}

/** Takes values from all streams in turn, until every one has ended. */
async function* interleave(first, ...others) {
  let open = [first, ...others].map((stream) => stream[Symbol.asyncIterator]());
  try {
    while (open.length > 0) {
      const results = await Promise.all(open.map((iterator) => iterator.next()));
      open = open.filter((_, i) => !results[i].done);
      yield* results.filter(({ done }) => !done).map(({ value }) => value);
    }
  } finally {
    await Promise.all(open.map((iterator) => iterator.return?.()));
  }
}

/** Only values that differ from the last one that was passed on by at least `step`. */
async function* significant(values, step) {
  const last = {};
  for await (const reading of values) {
    const { name, value } = reading;
    if (Object.hasOwn(last, name) && Math.abs(value - last[name]) < step) continue;
    last[name] = value;
    yield reading;
  }
}

function alarm(limit) {
  let above = 0;
  return ({ value }) => {
    above = value > limit ? above + 1 : 0;
    return above >= 2;
  };
}

const mean = (list) => list.reduce((sum, { value }) => sum + value, 0) / list.length;
const write = ({ name, value }) => `${name}${value}`;

const north = () => new Stream(readings('n', [20, 20.4, 21, 25, 26, 24]));
const south = () => new Stream(readings('s', [18, 18, 30, 31]));
const both = () => north().pipe(interleave, south());

console.log((await both().map(write).toArray()).join(' '));
console.log((await both().pipe(significant, 1).map(write).toArray()).join(' '));
for await (const group of both().batch(4)) console.log(group.length, mean(group));

closed.length = 0;
const alarms = await both().filter(alarm(24)).take(2).toArray();
console.log(alarms.map(write).join(), 'closed', closed.join());

const { stream, push, end } = Stream.manual();
const total = stream.map((n) => n * 2).reduce((a, b) => a + b, 0);
push(1);
push(2);
await null;
push(3);
end();
console.log('total', await total, (await new Stream([3, 1, 2]).take(2).toArray()).join());

const broken = new Stream([1, 2, 3]).map((n) => {
  if (n === 2) throw new RangeError(`no ${n}`);
  return n;
});
const outcome = await broken.toArray().catch((error) => `${error.name}: ${error.message}`);
console.log(outcome);
