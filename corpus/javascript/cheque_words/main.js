"use strict";

// Writes sums of money in words, in English and in Roman numerals.

const ONES = [
  "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES = [
  { size: 1e9, word: "billion" },
  { size: 1e6, word: "million" },
  { size: 1000, word: "thousand" },
  { size: 100, word: "hundred" },
];
const ROMAN = Object.entries({
  M: 1000, CM: 900, D: 500, CD: 400, C: 100, XC: 90, L: 50, XL: 40, X: 10, IX: 9, V: 5, IV: 4, I: 1,
});

function inWords(n) {
  if (n < 0) return `minus ${inWords(-n)}`;
  if (n < 20) return ONES[n];
  if (n < 100) return n % 10 === 0 ? TENS[n / 10] : `${TENS[Math.floor(n / 10)]}-${ONES[n % 10]}`;
  const { size, word } = SCALES.find((scale) => n >= scale.size);
  const head = `${inWords(Math.floor(n / size))} ${word}`;
  const rest = n % size;
  if (rest === 0) return head;
  return rest < 100 ? `${head} and ${inWords(rest)}` : `${head} ${inWords(rest)}`;
}

const IRREGULAR = {
  one: "first", two: "second", three: "third", five: "fifth", eight: "eighth", nine: "ninth",
  twelve: "twelfth",
};

function ordinal(n) {
  return inWords(n).replace(/[a-z]+$/, (last) => {
    if (Object.hasOwn(IRREGULAR, last)) return IRREGULAR[last];
    return last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`;
  });
}

function short(n) {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  return n + (teens ? "th" : ({ 1: "st", 2: "nd", 3: "rd" })[n % 10] ?? "th");
}

function percent(share) {
  return `${inWords(Math.round(share * 100))} per cent`;
}

function toRoman(n) {
  if (!Number.isInteger(n) || n < 1 || n > 3999) throw new RangeError(`${n} has no Roman numeral`);
  const [sign, value] = ROMAN.find(([, size]) => size <= n);
  return n === value ? sign : sign + toRoman(n - value);
}

function fromRoman(text) {
  const values = Array.from(text, (sign) => Object.fromEntries(ROMAN)[sign]);
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}

const count = (n, one, many = `${one}s`) => `${inWords(n)} ${n === 1 ? one : many}`;

/** @param {string} amount digits with an optional point and one or two digits after it */
function cheque(amount, { currency = "pound", cents = ["penny", "pence"], fee = 0 } = {}) {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(amount);
  if (!match) throw new SyntaxError(`no amount: ${amount}`);
  const whole = Number(match[1]);
  const part = Number((match[2] ?? "").padEnd(2, "0"));
  const parts = [];
  if (whole > 0 || part === 0) parts.push(count(whole, currency));
  if (part > 0) parts.push(count(part, ...cents));
  const text = parts.join(" and ") + (part === 0 ? " only" : "");
  const extra = fee > 0 ? ` plus ${percent(fee)}` : "";
  return text[0].toUpperCase() + text.slice(1) + extra;
}

function tryAll(write, inputs) {
  for (const input of inputs) {
    try {
      console.log(`${input}: ${write(input)}`);
    } catch (error) {
      console.log(`${input}: ${error.name}, ${error.message}`);
    }
  }
}

tryAll(cheque, ["0", "1.01", "340.5", "0.99", "1000015", "12,50"]);
tryAll((amount) => cheque(amount, { currency: "crown", cents: ["ore", "ore"] }), ["21.1"]);
tryAll(ordinal, [3, 12, 40, 121]);
tryAll(toRoman, [1994, 3999, 4000]);
console.log([1, 11, 22, 113, 503].map(short).join(" "), fromRoman("MCMXCIV"));
