/* panel/graph.ts - graphs among parameters, drawn, their points dragged: distance to the right, value upwards.
 *
 * One graph for each place (edit/graphs.ts). A double click adds a point or takes one away; arrow keys move the point
 * that has the focus.
 */
import { joinGraphs, splitGraphs } from '../edit/graphs';
import { parsePoints, round, type Point } from '../edit/values';
import type { Row } from '../engine/types';
import { element } from './forms';

const NS = 'http://www.w3.org/2000/svg';
const WIDTH = 290;
const HEIGHT = 130;
const EDGE = 14;

interface Scale {
  x: number /* the largest distance */;
  low: number;
  high: number;
}

function scaleOf(graph: Point[]): Scale {
  const values = graph.map(([, y]) => y);
  return {
    x: Math.max(1, ...graph.map(([x]) => x)) * 1.2,
    low: Math.min(-0.5, ...values) * 1.15,
    high: Math.max(0.5, ...values) * 1.15,
  };
}

const across = (scale: Scale, x: number): number => EDGE + ((WIDTH - 2 * EDGE) * x) / scale.x;
const up = (scale: Scale, y: number): number =>
  HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (y - scale.low)) / (scale.high - scale.low);

function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** The line of a graph: straight where a point goes on, else level up to the next one. */
export function outlineOf(graph: Point[], far: number): Point[] {
  return graph.flatMap((point, i) => {
    const next = graph[i + 1];
    const end: Point = [next ? next[0] : far, point[1], 0];
    return point[2] && next ? [point] : [point, end];
  });
}

/** A point keeps between its neighbours, so that the graphs stay apart. */
export function placed(graph: Point[], which: number, x: number, y: number): Point[] {
  const low = which > 0 ? graph[which - 1]![0] + 0.01 : 0;
  const high = which + 1 < graph.length ? graph[which + 1]![0] - 0.01 : Infinity;
  const point: Point = [round(Math.min(Math.max(x, low), high)), round(y), graph[which]![2]];
  return graph.map((old, i) => (i === which ? point : old));
}

function drawOne(graph: Point[], name: string, put: (graph: Point[]) => void): SVGElement {
  const scale = scaleOf(graph);
  const root = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'graph', role: 'group', 'aria-label': name });
  const path = (points: Point[]): string =>
    points.map(([x, y], i) => `${i ? 'L' : 'M'}${across(scale, x).toFixed(1)} ${up(scale, y).toFixed(1)}`).join(' ');
  const line = svg('path', { d: path(outlineOf(graph, scale.x)), class: 'line' });
  root.append(
    svg('path', {
      d: path([
        [0, 0, 0],
        [scale.x, 0, 0],
      ]),
      class: 'axis',
    }),
    line,
  );
  const label = svg('text', { x: WIDTH - EDGE, y: HEIGHT - 3, 'text-anchor': 'end' });
  label.textContent = `${round(scale.x)} m`;
  root.append(label);
  const at = (event: MouseEvent): [number, number] => {
    const box = root.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const y = ((event.clientY - box.top) / box.height) * HEIGHT;
    const part = (HEIGHT - EDGE - y) / (HEIGHT - 2 * EDGE);
    return [Math.max(0, ((x - EDGE) / (WIDTH - 2 * EDGE)) * scale.x), scale.low + part * (scale.high - scale.low)];
  };
  root.ondblclick = (event) => {
    const [x, y] = at(event);
    put([...graph, [round(x), round(y), 1] as Point].sort((a, b) => a[0] - b[0]));
  };
  graph.forEach((point, i) => root.append(knob(point, i)));

  function knob([x, y]: Point, i: number): SVGElement {
    const dot = svg('circle', { cx: across(scale, x), cy: up(scale, y), r: 6, tabindex: 0, role: 'slider' });
    dot.setAttribute('aria-label', `${name}, point ${i + 1}: ${x} m, ${y}`);
    dot.setAttribute('aria-valuenow', String(y));
    let now = graph;
    const show = (x: number, y: number): void => {
      now = placed(graph, i, x, y);
      line.setAttribute('d', path(outlineOf(now, scale.x)));
      dot.setAttribute('cx', String(across(scale, now[i]![0])));
      dot.setAttribute('cy', String(up(scale, now[i]![1])));
    };
    dot.onpointerdown = (event) => {
      dot.setPointerCapture(event.pointerId);
      dot.onpointermove = (event) => show(...at(event));
    };
    dot.onpointerup = () => {
      dot.onpointermove = null;
      if (now !== graph) put(now);
    };
    dot.ondblclick = (event) => {
      event.stopPropagation();
      if (graph.length > 1) put(graph.filter((_, k) => k !== i));
    };
    dot.onkeydown = (event) => {
      const by: Record<string, [number, number]> = {
        ArrowLeft: [-0.1, 0],
        ArrowRight: [0.1, 0],
        ArrowUp: [0, 0.1],
        ArrowDown: [0, -0.1],
      };
      const step = by[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      put(placed(graph, i, x + step[0], y + step[1]));
    };
    return dot;
  }
  return root;
}

/** Every graph of a row. */
export function graphEditor(row: Row, text: string, put: (row: Row, text: string) => void): HTMLElement {
  const root = element('div', '', 'graphs');
  const graphs = splitGraphs(parsePoints(text));
  root.title = row.text;
  graphs.forEach((graph, i) => {
    const name = `${row.name.replaceAll('_', ' ')} ${i + 1}`;
    const after = (mine: Point[]): string => joinGraphs(graphs.map((old, k) => (k === i ? mine : old)));
    root.append(drawOne(graph, name, (mine) => put(row, after(mine))));
  });
  return root;
}
