"""Melodies as lists of notes, and ways to vary them that can be strung together."""

from functools import partial, reduce
from itertools import accumulate
from typing import NamedTuple

NAMES = "C C# D D# E F F# G G# A A# B".split()
MAJOR = (0, 2, 4, 5, 7, 9, 11)
MINOR = (0, 2, 3, 5, 7, 8, 10)


class Note(NamedTuple):
    pitch: int  # semitones above C0
    beats: float

    def __str__(self):
        octave, step = divmod(self.pitch, 12)
        return f"{NAMES[step]}{octave}" + (f":{self.beats:g}" if self.beats != 1 else "")


def read_note(text):
    name, _, beats = text.partition(":")
    if name[:-1] not in NAMES:
        raise ValueError(f"no note is called {text}")
    return Note(NAMES.index(name[:-1]) + 12 * int(name[-1]), float(beats or 1))


def read(text):
    return [read_note(word) for word in text.split()]


def write(melody):
    return " ".join(map(str, melody))


def transpose(melody, semitones):
    return [note._replace(pitch=note.pitch + semitones) for note in melody]


def stretch(melody, factor):
    if factor <= 0:
        raise ValueError("a note lasts longer than nothing")
    return [note._replace(beats=note.beats * factor) for note in melody]


def mirror(melody):
    """Turns every step up into a step down of the same size; the first note stays."""
    axis = melody[0].pitch if melody else 0
    return [Note(2 * axis - note.pitch, note.beats) for note in melody]


def backwards(melody):
    return melody[::-1]


def fit(melody, scale, root=0):
    """Moves each note that is outside the scale down to the next note of the scale."""

    def settle(pitch):
        while (pitch - root) % 12 not in scale:
            pitch -= 1
        return pitch

    return [Note(settle(note.pitch), note.beats) for note in melody]


def chain(*variations):
    """One variation that applies several, the first one first."""
    return lambda melody: reduce(lambda notes, vary: vary(notes), variations, melody)


def bars(melody, beats=4):
    """Splits at bar lines; a note that crosses a line belongs to the bar in which it begins."""
    starts = [0, *accumulate(note.beats for note in melody)]
    grouped = {}
    for start, note in zip(starts, melody):
        grouped.setdefault(int(start // beats), []).append(note)
    return [grouped[number] for number in sorted(grouped)]


def intervals(melody):
    return [after.pitch - before.pitch for before, after in zip(melody, melody[1:])]


def guess_scale(melody):
    """The scale and root with the fewest notes outside; major before minor, low roots before high."""

    def outside(candidate):
        scale, root = candidate
        return sum((note.pitch - root) % 12 not in scale for note in melody)

    candidates = [(scale, root) for scale in (MAJOR, MINOR) for root in range(12)]
    scale, root = min(candidates, key=outside)
    return f"{NAMES[root]} {'major' if scale is MAJOR else 'minor'}"


VARIATIONS = {
    "octave up": partial(transpose, semitones=12),
    "slow": partial(stretch, factor=2),
    "mirror": mirror,
    "crab": backwards,
    "mirrored crab in minor": chain(mirror, backwards, partial(fit, scale=MINOR)),
}

if __name__ == "__main__":
    theme = read("C4 D4 E4 C4 E4:1.5 F4:0.5 G4:2 G#4 A#4:3")
    for title, vary in VARIATIONS.items():
        print(f"{title}: {write(vary(theme))}")
    print("bars:", " | ".join(map(write, bars(theme))))
    print("range:", max(theme), "down to", min(theme))
    print("scale:", guess_scale(theme))
    print("same again:", chain(mirror, mirror)(theme) == theme)
