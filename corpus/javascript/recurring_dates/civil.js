/** Calendar dates without a clock, as numbers of days; day 0 is 1 March of the year 0. */

function toDays({ year, month, day }) {
  const shifted = (month + 9) % 12; // March is 0, so that the leap day ends the year
  const y = month < 3 ? year - 1 : year;
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return 365 * y + leaps + Math.floor((153 * shifted + 2) / 5) + day - 1;
}

function fromDays(days) {
  let year = Math.floor(days / 365.2425) + 1;
  while (toDays({ year, month: 1, day: 1 }) > days) year--;
  let month = 12;
  while (toDays({ year, month, day: 1 }) > days) month--;
  return { year, month, day: days - toDays({ year, month, day: 1 }) + 1 };
}

const isLeap = (year) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function daysInMonth(year, month) {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const WEEKDAYS = ['wed', 'thu', 'fri', 'sat', 'sun', 'mon', 'tue'];

const weekday = (date) => WEEKDAYS[toDays(date) % 7];

const write = ({ year, month, day }) => [year, month, day].map((n) => String(n).padStart(2, '0')).join('-');

module.exports = { toDays, fromDays, isLeap, daysInMonth, weekday, write };
