/* edit/things.ts - what can be dragged: goals, doors, obstacles, paths, places among parameters.
 *
 * A handle says where it is, what would be seen when it were elsewhere, and which event puts it there. All of them are
 * made from what the engine says there is now, so what events have made can be dragged as well.
 */
import type { App } from '../app';
import type { AgentNow, Barrier, Goal, Guide, Shape } from '../engine/types';
import { isPlaces, isUnset } from './graphs';
import type { Spot } from './shapes';
import { parsePoints, pointsText, round, type Point } from './values';

export interface Handle {
  at: Point;
  /** What it belongs to, in words. */
  name: string;
  /** Points of a line that shows it with the handle at a place. */
  seen(to: Spot): { points: Point[]; closed: boolean };
  /** The event that puts it there. */
  event(to: Spot): object;
}

const POINT = 0;
const LINE = 1;
const DISC = 2;

const key = (point: Point, mesh: boolean): number[] => point.slice(0, mesh ? 3 : 2).map(round);

/** A shape of the engine as the scene language has it. */
export function shapeKey(shape: Shape, mesh: boolean): object {
  const points = shape.points.map((point) => key(point, mesh));
  const level = mesh && shape.level ? { level: shape.level } : {};
  if (shape.kind === POINT) return { point: points[0], ...level };
  if (shape.kind === DISC) return { disc: { centre: points[0], radius: round(shape.radius) }, ...level };
  if (shape.kind !== LINE) return { polygon: points, ...level };
  if (!shape.apart) return { line: points, ...level };
  const pairs = Array.from({ length: points.length / 2 }, (_, i) => [points[2 * i], points[2 * i + 1]]);
  return { lines: pairs, ...level };
}

const place = (to: Spot): Point => [to[0], to[1], to[2]];

function moved(shape: Shape, which: number, to: Spot): Shape {
  const points = shape.points.map((point, i) => (i === which ? place(to) : point));
  return { ...shape, points, ...(to[3] ? { level: to[3] } : {}) };
}

/* The whole shape, carried by its middle. */
function carried(shape: Shape, to: Spot): Shape {
  const middle = centre(shape);
  const points = shape.points.map((p) => [0, 1, 2].map((k) => p[k]! + to[k]! - middle[k]!) as Point);
  return { ...shape, points };
}

export function centre(shape: Shape): Point {
  const sum = shape.points.reduce((all, p) => all.map((value, k) => value + p[k]!) as Point, [0, 0, 0] as Point);
  return sum.map((value) => value / Math.max(shape.points.length, 1)) as Point;
}

const MOST_CORNERS = 24;

function shapeHandles(name: string, shape: Shape, event: (shape: Shape) => object): Handle[] {
  const closed = shape.kind !== LINE;
  const few = shape.points.length <= MOST_CORNERS ? shape.points : []; /* a disc has 48 */
  const corners = few.map((at, i) => ({
    at,
    name,
    seen: (to: Spot) => ({ points: moved(shape, i, to).points, closed }),
    event: (to: Spot) => event(moved(shape, i, to)),
  }));
  if (shape.points.length < 2) return corners;
  const whole = {
    at: centre(shape),
    name,
    seen: (to: Spot) => ({ points: carried(shape, to).points, closed }),
    event: (to: Spot) => event(carried(shape, to)),
  };
  return [...corners, whole];
}

const goalHandles = (goal: Goal, mesh: boolean): Handle[] =>
  shapeHandles(goal.name, goal.shape, (shape) => ({ move: { goal: goal.name, ...shapeKey(shape, mesh) } }));

function barrierHandles(barrier: Barrier): Handle[] {
  const { name, door, closed, shape } = barrier;
  if (!name || shape.points.length === 0) return [];
  return shapeHandles(name, shape, (shape) =>
    door ? { door: { name, closed, ...shapeKey(shape, false) } } : { obstacle: { name, ...shapeKey(shape, false) } },
  );
}

function guideEvent(guide: Guide, change: object): object {
  const points = guide.points.length ? { points: guide.points, closed: guide.closed } : {};
  return { guide: { name: guide.name, [guide.kind]: { ...points, ...guide.params, ...change } } };
}

function guideHandles(guide: Guide, app: App): Handle[] {
  const mesh = app.about?.mesh ?? false;
  const points = guide.points.map((point) => point as Point);
  const corners = points.map((at, i) => {
    const after = (to: Spot): Point[] => points.map((p, k) => (k === i ? place(to) : p));
    return {
      at,
      name: guide.name,
      seen: (to: Spot) => ({ points: after(to), closed: guide.closed }),
      event: (to: Spot) => guideEvent(guide, { points: after(to).map((p) => key(p, mesh)) }),
    };
  });
  const rows = app.tables?.guides.find(({ name }) => name === guide.kind)?.params ?? [];
  const places = rows
    .filter(isPlaces)
    .flatMap((row) =>
      placeHandles(row.name, guide.params[row.name] ?? '', guide.name, (text) =>
        guideEvent(guide, { [row.name]: text }),
      ),
    );
  return [...corners, ...places];
}

/* Places in the text of a parameter. */
function placeHandles(row: string, text: string, name: string, event: (text: string) => object): Handle[] {
  const points = parsePoints(text);
  const list = text.includes(';');
  return points.map((at, i) => {
    const after = (to: Spot): string => {
      const all = points.map((p, k) => (k === i ? place(to) : p));
      return list ? pointsText(all) : all[0]!.map(round).join(' ');
    };
    return {
      at,
      name: `${name}: ${row}`,
      seen: (to: Spot) => ({ points: [at, place(to)], closed: false }),
      event: (to: Spot) => event(after(to)),
    };
  });
}

function agentHandles(app: App, now: AgentNow): Handle[] {
  const rows = app.tables?.models.find(({ name }) => name === now.model)?.params ?? [];
  return rows
    .filter((row) => isPlaces(row) && !isUnset(row, now.params[row.name] ?? ''))
    .flatMap((row) =>
      placeHandles(row.name, now.params[row.name] ?? '', `agent ${app.chosen}`, (text) => ({
        change: { agents: app.chosenAll, model: now.model, params: { ...now.params, [row.name]: text } },
      })),
    );
}

/** Everything that can be dragged now, but for agents, who are dragged where they stand. */
export function handlesOf(app: App, now: AgentNow | null): Handle[] {
  const { about, barriers } = app;
  if (!about) return [];
  return [
    ...(now ? agentHandles(app, now) : []),
    ...about.goals.flatMap((goal) => goalHandles(goal, about.mesh)),
    ...about.guides.flatMap((guide) => guideHandles(guide, app)),
    ...(about.mesh ? [] : barriers.flatMap((barrier) => barrierHandles(barrier))),
  ];
}
