'use strict';

const LETTERS = ['C', 'D', 'E', 'F', 'G', 'A', 'B'];
const SEMITONES = Object.freeze({ C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 });
const MODES = Object.freeze({
  major: [2, 2, 1, 2, 2, 2, 1],
  minor: [2, 1, 2, 2, 1, 2, 2],
  dorian: [2, 1, 2, 2, 2, 1, 2],
});

const modulo = (n, size) => ((n % size) + size) % size;

/** A note with its spelling: C sharp and D flat are different pitches of equal sound. */
class Pitch {
  constructor(letter, accidental = 0, octave = 4) {
    this.letter = letter;
    this.accidental = accidental;
    this.octave = octave;
  }

  static parse(text) {
    const [, letter, signs, octave] = text.match(/^([A-G])(#*|b*)(-?\d)?$/) ?? [];
    if (letter === undefined) throw new SyntaxError(`no pitch: ${text}`);
    const accidental = signs.startsWith('b') ? -signs.length : signs.length;
    return new Pitch(letter, accidental, octave === undefined ? 4 : Number(octave));
  }

  /** Semitones above C0. */
  get height() {
    return 12 * this.octave + SEMITONES[this.letter] + this.accidental;
  }

  get signs() {
    return (this.accidental < 0 ? 'b' : '#').repeat(Math.abs(this.accidental));
  }

  get name() {
    return this.letter + this.signs;
  }

  soundsLike(other) {
    return this.height === other.height;
  }

  /** The pitch some letters further whose sound is `semitones` higher. */
  step(letters, semitones) {
    const place = LETTERS.indexOf(this.letter) + letters;
    const natural = new Pitch(LETTERS[modulo(place, 7)], 0, this.octave + Math.floor(place / 7));
    const accidental = this.height + semitones - natural.height;
    return new Pitch(natural.letter, accidental, natural.octave);
  }

  [Symbol.toPrimitive](hint) {
    return hint === 'number' ? this.height : `${this.name}${this.octave}`;
  }
}

class Scale {
  constructor(tonic, mode) {
    if (!Object.hasOwn(MODES, mode)) throw new RangeError(`no mode: ${mode}`);
    this.tonic = tonic;
    this.mode = mode;
  }

  *[Symbol.iterator]() {
    let pitch = this.tonic;
    for (const width of MODES[this.mode]) {
      yield pitch;
      pitch = pitch.step(1, width);
    }
  }

  get accidentals() {
    return [...this].reduce((sum, { accidental }) => sum + Math.abs(accidental), 0);
  }

  triad(degree) {
    const notes = [...this];
    return [0, 2, 4].map((offset) => notes[(degree - 1 + offset) % 7]);
  }

  degreeOf(pitch) {
    const index = [...this].findIndex((note) => modulo(note - pitch, 12) === 0);
    return index < 0 ? null : index + 1;
  }

  get relative() {
    switch (this.mode) {
      case 'major':
        return new Scale(this.tonic.step(-2, -3), 'minor');
      case 'minor':
        return new Scale(this.tonic.step(2, 3), 'major');
      default:
        return this;
    }
  }
}

function easierSpelling(one, other) {
  return other.accidentals < one.accidentals ? other : one;
}

function print(scale) {
  const names = Array.from(scale, ({ name }) => name);
  console.log(`${scale.tonic.name} ${scale.mode}:`, names.join(' '), `(${scale.accidentals})`);
}

const keys = ['D', 'Bb', 'F#'].map((name) => new Scale(Pitch.parse(name), 'major'));
keys.forEach(print);
print(keys[0].relative);
print(new Scale(Pitch.parse('G#3'), 'dorian'));
print(easierSpelling(new Scale(Pitch.parse('G#'), 'major'), new Scale(Pitch.parse('Ab'), 'major')));
console.log(keys[1].triad(5).map(String).join('-'), keys[1].degreeOf(Pitch.parse('D#2')));
console.log(Pitch.parse('B#3') - Pitch.parse('C4'), `${Pitch.parse('Ebb').step(2, 4)}`);
try {
  Pitch.parse('H');
} catch ({ message }) {
  console.log(message);
}
