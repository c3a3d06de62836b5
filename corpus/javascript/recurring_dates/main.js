const { toDays, fromDays, daysInMonth, weekday, write } = require('./civil');

function* daily(start, { every = 1 } = {}) {
  for (let day = toDays(start); ; day += every) yield fromDays(day);
}

function* weekly(start, { every = 1, on = [weekday(start)] } = {}) {
  const first = toDays(start);
  for (const date of daily(start)) {
    const week = Math.floor((toDays(date) - first) / 7);
    if (week % every === 0 && on.includes(weekday(date))) yield date;
  }
}

/** The same day of each month; months that are too short are left out, or end earlier. */
function* monthly(start, { every = 1, short = 'skip' } = {}) {
  const { day } = start;
  let { year, month } = start;
  for (;;) {
    const last = daysInMonth(year, month);
    if (day <= last) yield { year, month, day };
    else if (short === 'clamp') yield { year, month, day: last };
    month += every;
    year += Math.floor((month - 1) / 12);
    month = ((month - 1) % 12) + 1;
  }
}

function* yearly(start) {
  for (const date of monthly(start, { every: 12 })) yield date;
}

const rules = { daily, weekly, monthly, yearly };

/** Iterator helpers that work on any iterable. */
const take = (count) =>
  function* (dates) {
    if (count === 0) return;
    let left = count;
    for (const date of dates) {
      yield date;
      if (--left === 0) return;
    }
  };

const drop = (count) =>
  function* (dates) {
    let passed = 0;
    for (const date of dates) if (++passed > count) yield date;
  };

const until = (end) =>
  function* (dates) {
    for (const date of dates) {
      if (toDays(date) > toDays(end)) return;
      yield date;
    }
  };

const except = (...days) =>
  function* (dates) {
    const excluded = new Set(days);
    for (const date of dates) if (!excluded.has(weekday(date))) yield date;
  };

function occurrences({ rule, start, options, skip = 0, filters = [] }) {
  if (!Object.hasOwn(rules, rule)) throw new Error(`no rule ${rule}`);
  const all = rules[rule](start, options);
  return filters.reduce((dates, filter) => filter(dates), skip > 0 ? drop(skip)(all) : all);
}

const date = (year, month, day) => ({ year, month, day });

const plans = {
  standup: { rule: 'daily', start: date(2023, 12, 29), filters: [except('sat', 'sun'), take(4)] },
  training: {
    rule: 'weekly',
    start: date(2024, 2, 20),
    options: { every: 2, on: ['tue', 'fri'] },
    filters: [until(date(2024, 3, 19))],
  },
  invoice: { rule: 'monthly', start: date(2023, 12, 31), options: { short: 'clamp' }, filters: [take(4)] },
  audit: { rule: 'monthly', start: date(2024, 1, 31), options: { every: 1 }, filters: [take(3)] },
  birthday: { rule: 'yearly', start: date(1896, 2, 29), filters: [take(3)] },
};

for (const [name, plan] of Object.entries(plans)) {
  const dates = [...occurrences(plan)];
  console.log(`${name}: ${dates.map(write).join(' ')}`);
}
console.log(weekday(date(2000, 1, 1)), write(fromDays(toDays(date(2024, 12, 31)) + 60)));
