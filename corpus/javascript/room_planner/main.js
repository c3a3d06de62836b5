'use strict';

// Times are minutes since midnight; an interval contains its start, but not its end.

const parseTime = (text) => {
  const [hours, minutes] = text.split(':').map(Number);
  return hours * 60 + minutes;
};

const formatTime = (minutes) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;

function meeting(text) {
  const [title, from, to, people = '1'] = text.split(/[ -]/);
  const [start, end] = [parseTime(from), parseTime(to)];
  if (end <= start) throw new RangeError(`${title} must end later than ${formatTime(start)}`);
  return { title, start, end, people: Number(people) };
}

const overlaps = (a, b) => a.start < b.end && b.start < a.end;
const byStart = (a, b) => a.start - b.start || a.end - b.end;

/** Joins intervals that overlap or touch. */
function merge(intervals) {
  const merged = [];
  for (const { start, end } of [...intervals].sort(byStart)) {
    const last = merged[merged.length - 1];
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

function gaps(intervals, { start, end }, least = 0) {
  const free = [];
  const note = (from, to) => {
    if (to - from >= Math.max(least, 1)) free.push({ start: from, end: to });
  };
  let from = start;
  for (const busy of merge(intervals)) {
    note(from, Math.min(busy.start, end));
    from = Math.max(from, busy.end);
  }
  note(from, end);
  return free;
}

/** The largest number of meetings at one time, and when that is reached first. */
function peak(meetings) {
  const changes = meetings.flatMap(({ start, end }) => [
    { at: start, by: 1 },
    { at: end, by: -1 },
  ]);
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let running = 0;
  return changes.reduce(
    (best, { at, by }) => {
      running += by;
      return running > best.count ? { count: running, at } : best;
    },
    { count: 0, at: null },
  );
}

/** Gives each meeting the smallest room that is free and large enough. */
function allocate(meetings, rooms) {
  const sizes = Object.entries(rooms).sort(([, a], [, b]) => a - b);
  const plan = new Map(sizes.map(([name]) => [name, []]));
  const refused = [];
  for (const candidate of [...meetings].sort(byStart)) {
    const isFree = ([name, seats]) =>
      seats >= candidate.people && !plan.get(name).some((other) => overlaps(other, candidate));
    const room = sizes.find(isFree);
    if (room) plan.get(room[0]).push(candidate);
    else refused.push(candidate);
  }
  return { plan, refused };
}

/** The most meetings that one person can attend. */
function attendMost(meetings) {
  const chosen = [];
  for (const candidate of [...meetings].sort((a, b) => a.end - b.end || b.start - a.start)) {
    if (chosen.length === 0 || candidate.start >= chosen[chosen.length - 1].end) chosen.push(candidate);
  }
  return chosen;
}

function earliestFor(length, calendars, day) {
  const [slot] = gaps(calendars.flat(), day, length);
  return slot ? { start: slot.start, end: slot.start + length } : null;
}

const show = ({ start, end }) => `${formatTime(start)}-${formatTime(end)}`;
const titles = (meetings) => meetings.map(({ title }) => title).join(' ') || '-';

function conflicts(meetings) {
  return meetings.flatMap((one, i) => {
    const rivals = meetings.slice(i + 1).filter((other) => overlaps(one, other));
    return rivals.map((other) => `${one.title}/${other.title}`);
  });
}

function busyShare(meetings, day) {
  const busy = merge(meetings).reduce((sum, { start, end }) => sum + end - start, 0);
  return busy / (day.end - day.start);
}

const meetings = [
  'standup 9:00-9:15 8', 'review 9:00-10:30 4', 'budget 10:00-11:00 3', 'call 10:30-11:00',
  'lunch 12:00-13:00 9', 'plan 12:30-14:00 4', 'demo 13:00-14:00 12', 'retro 13:30-15:00 4',
  'one 13:45-14:15 2',
].map(meeting);
const day = { start: parseTime('9:00'), end: parseTime('17:00') };

console.log(merge(meetings).map(show).join(', '), '| free', gaps(meetings, day).map(show).join(', '));
const { count, at } = peak(meetings);
console.log(`peak ${count} at ${formatTime(at)}; conflicts ${conflicts(meetings).length}`);
const { plan, refused } = allocate(meetings, { hall: 10, booth: 2, blue: 4 });
plan.forEach((list, room) => console.log(`${room}: ${titles(list)}`));
console.log('refused:', titles(refused), '| attend:', titles(attendMost(meetings)));
if (refused.length > 1) console.log(`busy ${Math.round(100 * busyShare(meetings, day))}%`);
const dentist = meeting('dentist 15:00-16:10');
const slots = [30, 60, 180].map((length) => earliestFor(length, [meetings, [dentist]], day));
console.log(slots.map((slot) => (slot ? show(slot) : 'never')).join(', '));
