/* What a hand makes, without a page: shapes, graphs, filters, names, values, files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterAgents } from '../../src/edit/filter';
import { graphsOf, joinGraphs, splitGraphs, valueAt } from '../../src/edit/graphs';
import { freshName, wordsOf } from '../../src/edit/names';
import { distanceTo, insidePolygon } from '../../src/edit/removal';
import { areaOf, isClick, pathOf, ring, shapeOf, thin, type Spot } from '../../src/edit/shapes';
import { shapeKey } from '../../src/edit/things';
import { linkEvents } from '../../src/edit/tools';
import { complaint, parsePoints, pointsText } from '../../src/edit/values';
import type { About, Frame, Row } from '../../src/engine/types';
import { escaped, sceneOf, withScene } from '../../src/panel/files';
import { outlineOf, placed } from '../../src/panel/graph';

const spot = (x: number, y: number, z = 0, level = 0): Spot => [x, y, z, level];
const row = (name: string, more: Partial<Row>): Row =>
  ({ name, type: 'float', unit: '', text: '', min: null, max: null, default: 0, ...more }) as Row;

test('a line drawn freehand keeps its corners and few points more', () => {
  const drawn = [...Array(50).keys()].map((i) => (i < 25 ? spot(i, 0.01 * (i % 2)) : spot(24, i - 24)));
  const kept = thin(drawn, 0.1);
  assert.deepEqual(kept, [spot(0, 0), spot(24, 0), spot(24, 25)]);
  assert.deepEqual(pathOf(drawn, false), [
    [0, 0],
    [24, 0],
    [24, 25],
  ]);
});

test('a ring drawn freehand becomes its corners', () => {
  const side = (a: Spot, b: Spot): Spot[] =>
    [...Array(20).keys()].map((i) => spot(a[0] + ((b[0] - a[0]) * i) / 20, a[1] + ((b[1] - a[1]) * i) / 20));
  const corners = [spot(0, 0), spot(8, 0), spot(8, 6), spot(0, 6)];
  const drawn = corners.flatMap((corner, i) => side(corner, corners[(i + 1) % 4]!));
  assert.deepEqual(ring(drawn, 0.2), corners);
});

test('shapes of the scene language, on flat ground and on a mesh', () => {
  const drawn = [spot(1, 2, 3), spot(4, 6, 3)];
  assert.deepEqual(shapeOf('rectangle', drawn, false), {
    rectangle: [
      [1, 2],
      [4, 6],
    ],
  });
  assert.deepEqual(shapeOf('disc', drawn, false), { disc: { centre: [1, 2], radius: 5 } });
  assert.deepEqual(shapeOf('point', drawn, true), { point: [4, 6, 3] });
  assert.deepEqual(shapeOf('free', [spot(1, 1, 1, 2), spot(1, 1.05, 1, 2)], true), { point: [1, 1.05, 1], level: 2 });
  assert.ok(isClick([spot(0, 0), spot(0.1, 0)]) && !isClick(drawn));
  assert.deepEqual(areaOf('disc', drawn, true, true), { ball: { centre: [1, 2, 3], radius: 5 } });
  assert.deepEqual(areaOf('rectangle', drawn, true, true), {
    rectangle: [
      [1, 2],
      [4, 6],
    ],
    low: 2,
    high: 4,
  });
  assert.deepEqual(areaOf('rectangle', [spot(0, 0, 3, 2), spot(1, 1, 3, 2)], true, true), {
    rectangle: [
      [0, 0],
      [1, 1],
    ],
    level: 2,
  });
});

test('shapes of the engine go back as they came', () => {
  const points: [number, number, number][] = [
    [0, 0, 1],
    [2, 0, 1],
    [3, 1, 1],
    [3, 2, 1],
  ];
  assert.deepEqual(shapeKey({ kind: 1, radius: 0, apart: true, points }, false), {
    lines: [
      [
        [0, 0],
        [2, 0],
      ],
      [
        [3, 1],
        [3, 2],
      ],
    ],
  });
  assert.deepEqual(shapeKey({ kind: 2, radius: 1.5, level: 2, points: [[1, 2, 3]] }, true), {
    disc: { centre: [1, 2, 3], radius: 1.5 },
    level: 2,
  });
});

test('what a click removes: inside, or near an edge', () => {
  const square = {
    kind: 3,
    radius: 0,
    points: [
      [0, 0, 0],
      [4, 0, 0],
      [4, 4, 0],
      [0, 4, 0],
    ] as [number, number, number][],
  };
  assert.ok(insidePolygon([1, 1], square.points) && !insidePolygon([5, 1], square.points));
  assert.equal(distanceTo(square, spot(2, 2)), 0);
  assert.equal(distanceTo(square, spot(4.5, 2)), 0.5);
  assert.equal(distanceTo({ ...square, kind: 1 }, spot(2, 1)), 1);
});

test('graphs: split where the distance falls, joined again, read between their points', () => {
  const text = '0 2 1; 12 2 0; 0 -1 1; 3 0 0;';
  const graphs = splitGraphs(parsePoints(text));
  assert.equal(graphs.length, 2);
  assert.equal(joinGraphs(graphs), text);
  assert.equal(valueAt(graphs[1]!, 1.5), -0.5);
  assert.equal(valueAt(graphs[0]!, 30), 2);
  const rows = [row('t', { type: 'points', unit: 'm' }), row('f', { type: 'points', unit: 'm, m/s' })];
  const [found] = graphsOf(rows, { t: '5 6; 7 8;', f: text });
  assert.equal(found!.places.length, 2);
  assert.deepEqual(
    found!.graphs.map((graph) => graph.length),
    [2, 2],
  );
});

test('a point of a graph stays between its neighbours; a level part goes up to the next', () => {
  const graph: [number, number, number][] = [
    [0, 1, 0],
    [2, 3, 1],
    [4, 0, 0],
  ];
  assert.deepEqual(placed(graph, 1, 9, 5)[1], [3.99, 5, 1]);
  assert.deepEqual(placed(graph, 0, -1, 5)[0], [0, 5, 0]);
  assert.deepEqual(outlineOf(graph, 10), [
    [0, 1, 0],
    [2, 1, 0],
    [2, 3, 1],
    [4, 0, 0],
    [10, 0, 0],
  ]);
});

const frame = {
  count: 3,
  id: Uint32Array.from([4, 7, 9]),
  state: Uint8Array.from([1, 4, 0]),
  population: Uint32Array.from([0, 1, 1]),
  goal: Uint32Array.from([1, 0, 1]),
  model: Uint32Array.from([1, 1, 1]),
  group: new Uint32Array(3),
  velocity: Float32Array.from([3, 4, 0, 0, 0, 0, 0, 0, 0]),
  speed: new Float32Array(3).fill(1),
} as unknown as Frame;
const about = {
  populations: ['walkers', 'shy ones'],
  goals: [{ name: 'way out', id: 1 }],
  models: ['orca'],
  groups: [],
  guides: [],
  sources: [],
} as unknown as About;

test('a filter: words, comparisons, names in quotes, nobody who is not there', () => {
  assert.deepEqual(filterAgents('walk', about, frame), [4]);
  assert.deepEqual(filterAgents('lost', about, frame), [7]);
  assert.deepEqual(filterAgents('orca speed<1', about, frame), [7]);
  assert.deepEqual(filterAgents('goal="way out"', about, frame), [4]);
  assert.deepEqual(filterAgents('population!="shy ones"', about, frame), [4]);
  assert.deepEqual(filterAgents('id>=7', about, frame), [7]);
  assert.deepEqual(filterAgents('', about, frame), []);
});

test('names and words of deeds', () => {
  assert.equal(freshName('goal', new Set(['goal 1', 'goal 3'])), 'goal 2');
  assert.equal(wordsOf({ enter: { name: 'people 1' } }), 'enter people 1');
  assert.equal(wordsOf({ step: 3, leave: { agents: [1, 2] } }), 'leave 2 agents');
  assert.equal(wordsOf({ remove_goal: 'exit' }), 'remove goal exit');
});

test('a link replaces the same one and keeps the others', () => {
  const had = [
    { role: 'leader', agent: 2 },
    { role: 'target', agent: 3 },
  ];
  assert.deepEqual(linkEvents(1, 3, 'target', had), [{ link: { agents: [1], links: had } }]);
});

test('values: what is out of range is told', () => {
  const speed = row('speed', { min: 0, max: 100 });
  assert.equal(complaint(speed, '1.3'), '');
  assert.match(complaint(speed, '-1'), /at least 0/);
  assert.match(complaint(speed, ''), /number/);
  assert.match(complaint(row('n', { type: 'int' }), '1.5'), /whole/);
  assert.equal(pointsText(parsePoints('1 2; 3 4 0.5;')), '1 2 0; 3 4 0.5;');
});

test('what is saved: a pack keeps its files, nothing can become markup, a scene has no marks', () => {
  const pack = JSON.stringify({ pack: 1, scene: 'old', files: [{ name: 'a' }] });
  const whole = withScene(pack, '{"name": "</script>é"}');
  assert.ok(!/[<>&é]/.test(whole));
  assert.deepEqual(JSON.parse(whole), { pack: 1, scene: '{"name": "</script>é"}', files: [{ name: 'a' }] });
  assert.equal(withScene(JSON.stringify({ pack: 1, scene: 'old', files: [] }), 'new'), 'new');
  assert.equal(escaped('ü'), '\\u00fc');
  const scene = JSON.parse(sceneOf('{"name": "a", "marks": [1], "duration": 3}', 'words', 60)) as object;
  assert.deepEqual(scene, { name: 'a', description: 'words', duration: 60 });
});
