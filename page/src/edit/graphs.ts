/* edit/graphs.ts - lists of points in tables of parameters: places in metres, and graphs over a distance from them.
 *
 * A row of points with the unit "m" has places. One with two units, such as "m, m/s", has graphs: x, y and whether it
 * goes on straight; where x grows smaller, the graph of the next place begins. Graphs belong to the places of the row
 * before. The tables say all that (docs/page.md), so a model that has such rows needs nothing here.
 */
import type { Row } from '../engine/types';
import { parsePoints, pointsText, type Point } from './values';

export interface Graphs {
  /** Names of the rows. */
  of: string;
  over: string;
  places: Point[];
  /** One for each place, as far as there are. */
  graphs: Point[][];
}

export const isPlaces = (row: Row): boolean => row.unit === 'm' && (row.type === 'points' || row.type === 'place');
export const isGraph = (row: Row): boolean => row.type === 'points' && row.unit.includes(',');

/** A place that nobody has set stands at 0, where it means nothing. */
export const isUnset = (row: Row, text: string): boolean =>
  row.type === 'place' && parsePoints(text).every((point) => point.every((value) => value === 0));

export function splitGraphs(points: Point[]): Point[][] {
  const graphs: Point[][] = [];
  points.forEach((point, i) => {
    if (i === 0 || point[0] < points[i - 1]![0]) graphs.push([]);
    graphs.at(-1)!.push(point);
  });
  return graphs;
}

export const joinGraphs = (graphs: Point[][]): string => pointsText(graphs.flat());

/** Places among some parameters, with their graphs. */
export function graphsOf(rows: Row[], values: Record<string, string>): Graphs[] {
  return rows.flatMap((row, i) => {
    if (!isPlaces(row)) return [];
    const next = rows[i + 1];
    const graph = next && isGraph(next) ? next : null;
    const text = values[row.name] ?? '';
    if (isUnset(row, text)) return [];
    const graphs = graph ? splitGraphs(parsePoints(values[graph.name] ?? '')) : [];
    return [{ of: row.name, over: graph?.name ?? '', places: parsePoints(text), graphs }];
  });
}

/** The value of a graph at a distance: straight between points that go on, else that of the point before. */
export function valueAt(graph: Point[], distance: number): number {
  let at = -1;
  while (at + 1 < graph.length && graph[at + 1]![0] <= distance) at++;
  const [from, to] = [graph[at], graph[at + 1]];
  if (!from) return graph[0]?.[1] ?? 0;
  if (!to || !from[2]) return from[1];
  return from[1] + ((to[1] - from[1]) * (distance - from[0])) / (to[0] - from[0]);
}
