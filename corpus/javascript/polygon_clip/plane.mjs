/** Points are pairs [x, y]; polygons are lists of points, without the first one again at the end. */

const pairs = (polygon) => polygon.map((point, i) => [point, polygon[(i + 1) % polygon.length]]);

export const subtract = ([ax, ay], [bx, by]) => [ax - bx, ay - by];
export const cross = ([ax, ay], [bx, by]) => ax * by - ay * bx;

/** Positive if c lies to the left of the way from a to b. */
export const turn = (a, b, c) => cross(subtract(b, a), subtract(c, a));

export function area(polygon) {
  return pairs(polygon).reduce((sum, [a, b]) => sum + cross(a, b), 0) / 2;
}

export function perimeter(polygon) {
  return pairs(polygon).reduce((sum, edge) => sum + Math.hypot(...subtract(...edge)), 0);
}

/** The centre of gravity. */
export function centroid(polygon) {
  const weigh = (axis) => pairs(polygon).reduce((sum, [a, b]) => sum + (a[axis] + b[axis]) * cross(a, b), 0);
  return [0, 1].map((axis) => weigh(axis) / (6 * area(polygon)));
}

export function contains(polygon, point) {
  return pairs(polygon).every(([a, b]) => turn(a, b, point) >= 0);
}

/** The smallest convex polygon around some points, counter-clockwise from the leftmost one. */
export function hull(points) {
  if (points.length < 3) return points;
  const sorted = [...points].sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const half = (ordered) =>
    ordered.reduce((chain, point) => {
      while (chain.length >= 2 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      return [...chain, point];
    }, []);
  const [lower, upper] = [half(sorted), half(sorted.reverse())];
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

/** The part of a polygon to the left of a line, by Sutherland and Hodgman. */
function clipEdge(polygon, [a, b]) {
  return pairs(polygon).flatMap(([from, to]) => {
    const [before, after] = [turn(a, b, from), turn(a, b, to)];
    const kept = before >= 0 ? [from] : [];
    if (before * after < 0) {
      const share = before / (before - after);
      kept.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
    }
    return kept;
  });
}

export function clip(polygon, window) {
  if (area(window) < 0) return clip(polygon, [...window].reverse());
  return pairs(window).reduce(clipEdge, polygon);
}
