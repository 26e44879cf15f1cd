/* edit/removal.ts - what a click takes away: the thing with a name that it hits, or whose edge is near. */
import type { App } from '../app';
import type { Shape } from '../engine/types';
import { centre } from './things';
import type { Spot } from './shapes';

const NEAR = 0.6; /* [m] */
const LINE = 1;
const DISC = 2;

/* Distance from a segment, seen in space. */
function away(p: number[], a: number[], b: number[]): number {
  const d = [0, 1, 2].map((k) => b[k]! - a[k]!);
  const square = d.reduce((sum, value) => sum + value * value, 0);
  const along = square ? d.reduce((sum, value, k) => sum + value * (p[k]! - a[k]!), 0) / square : 0;
  const t = Math.min(Math.max(along, 0), 1);
  return Math.hypot(...[0, 1, 2].map((k) => p[k]! - a[k]! - t * d[k]!));
}

/** Whether a point lies in a polygon seen from above. */
export function insidePolygon(at: number[], points: number[][]): boolean {
  let inside = false;
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length]!;
    const crosses = a[1]! > at[1]! !== b[1]! > at[1]!;
    if (crosses && at[0]! < ((b[0]! - a[0]!) * (at[1]! - a[1]!)) / (b[1]! - a[1]!) + a[0]!) inside = !inside;
  });
  return inside;
}

/** How far a place is from a shape, 0 inside. */
export function distanceTo(shape: Shape, at: Spot): number {
  const p = at.slice(0, 3);
  const { points, kind } = shape;
  if (points.length === 0) return Infinity;
  if (points.length === 1 || kind === DISC)
    return Math.max(0, away(p, points[0]!, points[0]!) - (kind === DISC ? shape.radius : 0));
  if (kind !== LINE && insidePolygon(p, points)) return Math.abs(p[2]! - centre(shape)[2]) < 2.5 ? 0 : Infinity;
  const ends = points.map((a, i) => [a, points[i + 1] ?? points[kind === LINE ? i : 0]!] as const);
  return Math.min(...ends.map(([a, b]) => away(p, a, b)));
}

/** The event that takes away what is at a place; null where there is nothing. */
export function removalAt(app: App, at: Spot): object | null {
  const { about, barriers } = app;
  if (!about) return null;
  const things = [
    ...about.goals.map(({ name, shape }) => ({ shape, event: { remove_goal: name } })),
    ...barriers
      .filter(({ name }) => name !== '')
      .map(({ name, door, shape }) => ({ shape, event: door ? { remove_door: name } : { remove: name } })),
    ...about.groups.flatMap(({ name, areas }) =>
      areas.map((points) => ({ shape: { kind: 3, radius: 0, points }, event: { remove_group: name } })),
    ),
    ...about.guides
      .filter(({ points }) => points.length > 0)
      .map(({ name, points }) => ({ shape: { kind: LINE, radius: 0, points }, event: { remove_guide: name } })),
  ];
  const found = things
    .map(({ shape, event }) => ({ event, away: distanceTo(shape, at) }))
    .sort((a, b) => a.away - b.away)[0];
  return found && found.away < NEAR ? found.event : null;
}
