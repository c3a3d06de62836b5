"""Elections by ranked ballots: the same ballots under three methods of counting."""

import itertools
from collections import Counter

BALLOTS = {
    "Oak Elm Fir": 8,
    "Elm Fir": 5,
    "Fir Elm Oak": 4,
    "Yew Fir Elm": 3,
    "Yew Oak": 1,
    "": 1,
    "Fir Fir Oak": 1,
}


def is_valid(ballot):
    return len(ballot) > 0 and len(ballot) == len(set(ballot))


def read_ballots(table):
    valid, spoilt = [], 0
    for text, copies in table.items():
        ballot = tuple(text.split())
        if is_valid(ballot):
            valid += [ballot] * copies
        else:
            spoilt += copies
    return valid, spoilt


def first_choices(ballots, standing):
    """The votes of each candidate still standing; ballots that rank none of them are exhausted."""
    votes = Counter({candidate: 0 for candidate in sorted(standing)})
    for ballot in ballots:
        for candidate in ballot:
            if candidate in standing:
                votes[candidate] += 1
                break
    return votes


def plurality(ballots, candidates):
    return best(first_choices(ballots, candidates))


def best(scores):
    return min(scores, key=lambda candidate: (-scores[candidate], candidate))


def runoff(ballots, candidates, log=None):
    """Drops the weakest candidate round by round until one has more than half of the votes."""
    standing = set(candidates)
    while True:
        votes = first_choices(ballots, standing)
        if log:
            log(votes)
        leader = best(votes)
        if votes[leader] * 2 > votes.total() or len(standing) == 1:
            return leader
        standing.discard(weakest(votes, ballots))


def weakest(votes, ballots):
    """Ties go against the candidate who stands on fewer ballots, then against the later name."""
    fewest = min(votes.values())
    tied = [candidate for candidate in votes if votes[candidate] == fewest]
    mentions = Counter(itertools.chain.from_iterable(ballots))
    return max(tied, key=lambda candidate: (-mentions[candidate], candidate))


def points(ballots, candidates):
    """Borda's count: with four candidates a first place gives 3 points, a second 2, and so on."""
    scores = dict.fromkeys(sorted(candidates), 0)
    for ballot in ballots:
        for place, candidate in enumerate(ballot):
            scores[candidate] += len(candidates) - 1 - place
    return best(scores)


def prefers(ballot, one, other):
    if one not in ballot:
        return False
    return other not in ballot or ballot.index(one) < ballot.index(other)


def pairwise(ballots, candidates):
    """Whoever beats each other candidate in a duel, or None."""
    for one in sorted(candidates):
        rivals = [other for other in candidates if other != one]
        if all(duel(ballots, one, other) > 0 for other in rivals):
            return one
    return None


def duel(ballots, one, other):
    return sum(prefers(ballot, one, other) - prefers(ballot, other, one) for ballot in ballots)


def margin_table(ballots, candidates):
    pairs = itertools.combinations(sorted(candidates), 2)
    return {f"{one}:{other}": duel(ballots, one, other) for one, other in pairs}


def main():
    ballots, spoilt = read_ballots(BALLOTS)
    candidates = {name for ballot in ballots for name in ballot}
    print(len(ballots), "valid ballots,", spoilt, "spoilt")
    runoff(ballots, candidates, log=lambda votes: print("  round:", dict(votes)))
    for method in (plurality, runoff, points, pairwise):
        print(f"{method.__name__}: {method(ballots, candidates)}")


if __name__ == "__main__":
    main()
