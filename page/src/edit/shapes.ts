/* edit/shapes.ts - what a hand has drawn, as shapes of the scene language.
 *
 * On flat ground a shape lies in the plane. On a mesh its points are in space: goals take them as they are; areas are
 * seen from above, and so get the level of a building, or the heights between which they were drawn. Where the ground
 * is no floor (a planet), a disc is a ball. A line drawn freehand is thinned by the method of Douglas and Peucker.
 */
import { round } from './values';

/** A place under the pen: x, y, z and the level of a building, 0 without. */
export type Spot = [number, number, number, number];

export const FORMS = ['free', 'rectangle', 'disc', 'line', 'point'] as const;
export type Form = (typeof FORMS)[number];

export type Shaped = Record<string, unknown>;

const apart = (a: Spot, b: Spot): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/* Distance of p from the segment a b. */
function off(p: Spot, a: Spot, b: Spot): number {
  const [x, y, z] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const square = x * x + y * y + z * z;
  const along = square ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y + (p[2] - a[2]) * z) / square : 0;
  const t = Math.min(Math.max(along, 0), 1);
  return apart(p, [a[0] + t * x, a[1] + t * y, a[2] + t * z, 0]);
}

/** Fewer points, none of the others farther than `slack` from what remains. */
export function thin(points: Spot[], slack: number): Spot[] {
  if (points.length < 3) return points;
  let [most, at] = [0, 0];
  const [first, last] = [points[0]!, points.at(-1)!];
  for (let i = 1; i + 1 < points.length; i++) {
    const distance = off(points[i]!, first, last);
    if (distance > most) [most, at] = [distance, i];
  }
  if (most <= slack) return [first, last];
  return [...thin(points.slice(0, at + 1), slack).slice(0, -1), ...thin(points.slice(at), slack)];
}

/** A closed line by its corners: thinned from the corner that is farthest from the first. */
export function ring(points: Spot[], slack: number): Spot[] {
  let far = 0;
  points.forEach((point, i) => {
    if (apart(point, points[0]!) > apart(points[far]!, points[0]!)) far = i;
  });
  const half = thin(points.slice(0, far + 1), slack);
  return [...half.slice(0, -1), ...thin([...points.slice(far), points[0]!], slack).slice(0, -1)];
}

const SLACK = 0.05; /* [m] for each metre of size, at most 0.2 m */

function slackOf(points: Spot[]): number {
  const size = Math.max(...points.map((point) => apart(point, points[0]!)));
  return Math.min(SLACK * size, 0.2);
}

/** The points that a form makes of a drawn line, for a picture of it while it is drawn. */
export function preview(form: Form, drawn: Spot[]): { points: Spot[]; closed: boolean } {
  const [a, b] = [drawn[0], drawn.at(-1)];
  if (!a || !b) return { points: [], closed: false };
  const z = (a[2] + b[2]) / 2;
  if (form === 'rectangle') {
    const points: Spot[] = [a, [b[0], a[1], z, a[3]], b, [a[0], b[1], z, a[3]]];
    return { points, closed: true };
  }
  if (form === 'disc') {
    const radius = apart(a, b);
    const on = (k: number): Spot => {
      const angle = (k * Math.PI) / 24;
      return [a[0] + radius * Math.cos(angle), a[1] + radius * Math.sin(angle), a[2], a[3]];
    };
    return { points: Array.from({ length: 48 }, (_, k) => on(k)), closed: true };
  }
  if (form === 'line') return { points: [a, b], closed: false };
  if (form === 'point') return { points: [b], closed: false };
  return { points: drawn, closed: true };
}

const LEAST = 0.15; /* [m] of a drawing */

/** Too small to mean anything but a click. */
export function isClick(drawn: Spot[]): boolean {
  return drawn.every((point) => apart(point, drawn[0]!) < LEAST);
}

const flatten = (mesh: boolean) => (spot: Spot) => spot.slice(0, mesh ? 3 : 2).map(round);

/** A shape of the scene language without keys of height: as goals take it. */
export function shapeOf(form: Form, drawn: Spot[], mesh: boolean): Shaped {
  const point = flatten(mesh);
  const [a, b] = [drawn[0]!, drawn.at(-1)!];
  const level = mesh && a[3] ? { level: a[3] } : {};
  if (form === 'point' || isClick(drawn)) return { point: point(b), ...level };
  if (form === 'line') return { line: [point(a), point(b)], ...level };
  if (form === 'disc') return { disc: { centre: point(a), radius: round(apart(a, b)) }, ...level };
  if (form === 'rectangle') return { rectangle: [point(a), point(b)], ...level };
  return { polygon: ring(drawn, slackOf(drawn)).map(point), ...level };
}

/** The same as an area: obstacles and doors also say between which heights, regions cannot. */
export function areaOf(form: Form, drawn: Spot[], mesh: boolean, heights: boolean): Shaped {
  const [a, b] = [drawn[0]!, drawn.at(-1)!];
  if (mesh && !a[3] && (form === 'disc' || !heights)) {
    const radius = form === 'disc' ? apart(a, b) : Math.max(...drawn.map((spot) => apart(spot, a)));
    return { ball: { centre: flatten(true)(a), radius: round(Math.max(radius, LEAST)) } };
  }
  const plan = (spot: Spot): Spot => [spot[0], spot[1], 0, spot[3]];
  const { level: _, ...shape } = shapeOf(
    form === 'point' || form === 'line' ? 'rectangle' : form,
    drawn.map(plan),
    false,
  );
  if (!mesh) return shape;
  if (a[3]) return { ...shape, level: a[3] };
  const z = drawn.map((spot) => spot[2]);
  return { ...shape, low: round(Math.min(...z) - 1), high: round(Math.max(...z) + 1) };
}

/** The points of a path that was drawn freehand: two at least. */
export function pathOf(drawn: Spot[], mesh: boolean): number[][] {
  return thin(drawn, slackOf(drawn)).map(flatten(mesh));
}
