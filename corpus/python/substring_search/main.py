"""Four ways to find all places of a word in a text, each counting the letters it compares."""


class Watched:
    """A text that counts how often one of its letters is looked at."""

    def __init__(self, text):
        self.text = text
        self.looks = 0

    def __len__(self):
        return len(self.text)

    def __getitem__(self, place):
        self.looks += 1
        return self.text[place]


def naive(text, word):
    for start in range(len(text) - len(word) + 1):
        if all(text[start + offset] == letter for offset, letter in enumerate(word)):
            yield start


def borders(word):
    """For each prefix of the word, the length of its longest proper prefix that is also its end."""
    table = [0] * len(word)
    length = 0
    for place in range(1, len(word)):
        while length and word[place] != word[length]:
            length = table[length - 1]
        if word[place] == word[length]:
            length += 1
        table[place] = length
    return table


def knuth_morris_pratt(text, word):
    table = borders(word)
    matched = 0
    for place in range(len(text)):
        letter = text[place]
        while matched and letter != word[matched]:
            matched = table[matched - 1]
        if letter == word[matched]:
            matched += 1
        if matched == len(word):
            yield place - matched + 1
            matched = table[matched - 1]


def horspool(text, word):
    """Compares from the end, and shifts by the last place of the letter under the word's end."""
    shift = {letter: len(word) - 1 - place for place, letter in enumerate(word[:-1])}
    start = 0
    while start + len(word) <= len(text):
        offset = len(word) - 1
        last = text[start + offset]
        letter = last
        while letter == word[offset]:
            if offset == 0:
                yield start
                break
            offset -= 1
            letter = text[start + offset]
        start += shift.get(last, len(word))


def rolling_hash(text, word, base=257, modulus=8191):
    size = len(word)
    if size > len(text):
        return
    top = pow(base, size - 1, modulus)

    def fold(letters):
        value = 0
        for letter in letters:
            value = (value * base + ord(letter)) % modulus
        return value

    window = [text[place] for place in range(size)]
    goal, value = fold(word), fold(window)
    for start in range(len(text) - size + 1):
        if start:
            window.append(text[start + size - 1])
            value = ((value - ord(window.pop(0)) * top) * base + ord(window[-1])) % modulus
        # Different windows can share a hash, so the letters decide.
        if value == goal and "".join(window) == word:
            yield start


METHODS = [naive, knuth_morris_pratt, horspool, rolling_hash]


def find_all(method, text, word):
    if not word:
        raise ValueError("an empty word is everywhere")
    watched = Watched(text)
    places = list(method(watched, word))
    return places, watched.looks


def race(text, word):
    outcomes = {method.__name__: find_all(method, text, word) for method in METHODS}
    answers = {tuple(places) for places, _ in outcomes.values()}
    if len(answers) > 1:
        raise AssertionError(f"the methods disagree: {outcomes}")
    return answers.pop(), {name: looks for name, (_, looks) in outcomes.items()}


def highlight(text, word):
    """Puts brackets around the places of a word; a place that begins inside another is left out."""
    marked, end = "", 0
    for place in horspool(text, word):
        if place >= end:
            marked += f"{text[end:place]}[{word}]"
            end = place + len(word)
    return marked + text[end:]


def main():
    print("borders:", borders("abacabab"))
    for text, word in [
        ("she sells sea shells on the sea shore", "sea"),
        ("aaaaaaaaaaaaaaaab", "aaab"),
        ("banananana", "anana"),
        ("short", "longer than the text"),
    ]:
        places, looks = race(text, word)
        print(f"{word!r} at {list(places)}")
        ranking = sorted(looks.items(), key=lambda item: item[1])
        print("  ", ", ".join(f"{name} {count}" for name, count in ranking))


if __name__ == "__main__":
    main()
