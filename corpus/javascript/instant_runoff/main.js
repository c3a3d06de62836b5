/*
 * Instant-runoff voting. Ballots rank candidates; in each round the weakest candidate
 * is struck out, until one has more than half of the ballots that still count.
 */

const parseBallots = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [count, ranking] = line.split(':');
      return { count: Number(count), ranking: ranking.trim().split(/\s*>\s*/) };
    });

function validate(ballots, candidates) {
  return ballots.filter(({ count, ranking }) => {
    const known = ranking.every((name) => candidates.includes(name));
    const once = new Set(ranking).size === ranking.length;
    return known && once && count > 0;
  });
}

function tally(ballots, standing) {
  const votes = Object.fromEntries(standing.map((name) => [name, 0]));
  let exhausted = 0;
  for (const { count, ranking } of ballots) {
    const choice = ranking.find((name) => standing.includes(name));
    if (choice === undefined) exhausted += count;
    else votes[choice] += count;
  }
  return { votes, exhausted };
}

/** Whom to strike out: the fewest votes now; among equals, the fewest in earlier rounds. */
function weakest(standing, history) {
  let tied = standing;
  for (const { votes } of [...history].reverse()) {
    const least = Math.min(...tied.map((name) => votes[name]));
    tied = tied.filter((name) => votes[name] === least);
    if (tied.length === 1) break;
  }
  return [...tied].sort().at(-1);
}

function totalOf(votes) {
  return Object.values(votes).reduce((a, b) => a + b, 0);
}

function majority(votes) {
  const total = totalOf(votes);
  return Object.keys(votes).find((name) => votes[name] * 2 > total);
}

function count(ballots, standing, history = []) {
  const round = tally(ballots, standing);
  const rounds = [...history, round];
  const winner = majority(round.votes);
  if (winner !== undefined) return { winner, rounds };
  if (rounds.length > 99) throw new RangeError('too many rounds');
  if (standing.length <= 1) return { winner: null, rounds };
  const loser = weakest(standing, rounds);
  round.struck = loser;
  return count(ballots, standing.filter((name) => name !== loser), rounds);
}

function pairwise(ballots, one, other) {
  const place = (ranking, name) => (ranking.includes(name) ? ranking.indexOf(name) : Infinity);
  return ballots.reduce(
    (margin, b) => margin + b.count * Math.sign(place(b.ranking, other) - place(b.ranking, one) || 0),
    0,
  );
}

/** The candidate who beats each other one in a direct comparison, if there is one. */
function condorcet(ballots, candidates) {
  const beats = (name, rival) => rival === name || pairwise(ballots, name, rival) > 0;
  return candidates.find((name) => candidates.every((rival) => beats(name, rival))) ?? 'nobody';
}

function bar(share, width = 20) {
  return '#'.repeat(Math.round(share * width));
}

function printRounds({ winner, rounds }, { bars = false } = {}) {
  rounds.forEach(({ votes, exhausted, struck }, i) => {
    const scores = Object.entries(votes).map(([name, n]) => `${name} ${bars ? bar(n / totalOf(votes)) : n}`);
    const note = struck ? `, strike ${struck}` : '';
    console.log(`round ${i + 1}: ${scores.join(', ')} (exhausted ${exhausted})${note}`);
  });
  console.log(winner === null ? 'no winner' : `winner: ${winner}`);
}

function hold(candidates, text) {
  const ballots = parseBallots(text);
  const valid = validate(ballots, candidates);
  console.log(`${valid.length} of ${ballots.length} piles are valid`);
  printRounds(count(valid, candidates));
  console.log(`pairwise: ${condorcet(valid, candidates)}`);
}

hold(
  ['Ash', 'Birch', 'Cedar', 'Dogwood'],
  `6: Ash > Birch
   4: Birch > Ash > Cedar
   5: Cedar > Birch
   1: Dogwood
   1: Dogwood > Birch > Cedar
   2: Elm > Ash
   3: Ash > Ash`,
);
hold(['Left', 'Right'], '2: Left\n2: Right > Left');
