import * as plane from './plane.mjs';

const { area, clip, hull } = plane;

// Transformations are functions of points; a pipeline applies them from left to right.
const move = (dx, dy) => ([x, y]) => [x + dx, y + dy];
const stretch = (factor) => ([x, y]) => [x * factor, y * factor];
const quarterTurn = ([x, y]) => [-y, x];
const mirror = ([x, y]) => [-x, y];
const pipeline = (...steps) => (point) => steps.reduce((current, step) => step(current), point);

/** Mirroring turns the direction of a polygon round, so the order is turned round too. */
function transform(polygon, ...steps) {
  const moved = polygon.map(pipeline(...steps));
  return Math.sign(area(moved)) === Math.sign(area(polygon)) ? moved : moved.reverse();
}

function write(polygon) {
  const round = (n) => Math.round(n * 100) / 100;
  return polygon.length === 0 ? '(nothing)' : polygon.map((point) => point.map(round).join(',')).join(' ');
}

function overlap(one, other) {
  const common = clip(one, other);
  return common.length < 3 ? 0 : area(common);
}

const square = [[0, 0], [4, 0], [4, 4], [0, 4]];
const triangle = [[0, 0], [6, 0], [0, 3]];
const cloud = [[1, 1], [5, 2], [3, 3], [2, 5], [4, 5], [3, 1], [6, 4], [1, 1]];

console.log(write(clip(triangle, square)), overlap(triangle, square));
const [far, neighbour] = [9, 4].map((way) => transform(square, move(way, 0)));
console.log(write(clip(square, far)), overlap(square, neighbour));
console.log(write(hull(cloud)), area(hull(cloud)));
const turned = transform(triangle, quarterTurn, stretch(2), move(1, -1));
console.log(write(turned), area(turned));
console.log(write(transform(triangle, mirror)), area(transform(triangle, mirror)));

const measures = ['area', 'perimeter'];
console.log(measures.map((name) => `${name} ${plane[name](triangle).toFixed(2)}`).join(', '));
const inside = cloud.filter((point) => plane.contains(square, point));
console.log(write(inside));
const diamond = transform(square, move(-2, -2), ([x, y]) => [(x - y) / 2, (x + y) / 2], move(2, 2));
console.log(write(diamond), overlap(square, diamond), overlap(diamond, triangle));
