/* What is drawn, without a screen: solid cells, walls, floors of a building, colours, whom a click means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ray, Vector3 } from 'three';
import type { Frame, MeshGround, TraceItem } from '../../src/engine/types';
import { agentUnder } from '../../src/view/choose';
import { agentColours, kindColour, rampColour } from '../../src/view/colours';
import { insideSolid, wallGeometry } from '../../src/view/flat_ground';
import { outline } from '../../src/view/marks';
import { faceNormals, levelsOf } from '../../src/view/mesh_ground';
import { strideLength } from '../../src/view/people';
import { traceColour } from '../../src/view/traces';

function frame(points: [number, number, number][]): Frame {
  const n = points.length;
  const fill = (value: number): Float32Array => new Float32Array(n).fill(value);
  return {
    count: n,
    point: Float32Array.from(points.flat()),
    normal: Float32Array.from(points.flatMap(() => [0, 0, 1])),
    velocity: new Float32Array(3 * n),
    radius: fill(0.25),
    height: fill(1.75),
    speed: fill(1),
    state: new Uint8Array(n).fill(1),
    population: Uint32Array.from(points, (_, i) => i),
    goal: new Uint32Array(n),
    model: new Uint32Array(n),
  } as unknown as Frame;
}

test('solid cells that touch the border are outside, the others are obstacles', () => {
  const plan = ['#######', '#.....#', '#.##..#', '#.....#', '#######'].join('');
  const clearance = Float32Array.from(plan, (c) => (c === '#' ? -1 : 1));
  const inside = [...insideSolid(7, 5, clearance)];
  assert.deepEqual(
    inside.flatMap((is, cell) => (is ? [cell] : [])),
    [16, 17],
  );
});

test('a wall is a quad from the ground to height 1', () => {
  const geometry = wallGeometry(Float32Array.from([0, 0, 3, 0]));
  geometry.computeBoundingBox();
  assert.deepEqual(geometry.boundingBox?.max.toArray(), [3, 0, 1]);
  assert.equal(geometry.getAttribute('position').count, 6);
});

test('floors come lowest first; flights belong to none', () => {
  const ground = {
    vertices: Float32Array.from([0, 0, 3, 1, 0, 3, 0, 1, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0]),
    corners: Uint32Array.from([0, 1, 2, 3, 4, 5, 0, 4, 5]),
    levels: Int32Array.from([2, 1, 0]),
  } as unknown as MeshGround;
  assert.deepEqual(levelsOf(ground), [
    { number: 1, z: 0 },
    { number: 2, z: 3 },
  ]);
  assert.deepEqual([...faceNormals(ground).subarray(0, 6)], [0, 0, 1, 0, 0, 1]);
});

test('a click means the body that the ray meets first', () => {
  const people = frame([
    [0, 0, 0],
    [0, 5, 0],
    [3, 5, 0],
  ]);
  const ray = (x: number): Ray => new Ray(new Vector3(x, -10, 1), new Vector3(0, 1, 0));
  assert.equal(agentUnder(people, ray(0.1), 0), 0);
  assert.equal(agentUnder(people, ray(3.2), 0), 2);
  assert.equal(agentUnder(people, ray(1.5), 0), -1);
  const through = new Vector3(-0.17643091605219155, -0.1754153069761046, -0.968556452634261);
  for (let k = 0; k < 100; k++) {
    /* exactly through the axis, from everywhere */
    const from = new Vector3(0, 0, 0.8).addScaledVector(through, -10 - 0.1 * k);
    assert.equal(agentUnder(people, new Ray(from, through.clone().normalize()), 0), 0);
  }
  people.state[0] = 0; /* not there yet */
  assert.equal(agentUnder(people, ray(0.1), 0), 1);
});

test('colours: kinds repeat, numbers stop at the ends', () => {
  assert.deepEqual(kindColour(8), kindColour(0));
  assert.deepEqual(rampColour(7), rampColour(1));
  assert.deepEqual(rampColour(NaN), rampColour(0));
  const crowd = frame([
    [0, 0, 0],
    [1, 0, 0],
    [9, 0, 0],
  ]);
  const colours = agentColours(crowd, 'population');
  assert.deepEqual([...colours.subarray(3, 6)], [...Float32Array.from(kindColour(1))]);
});

test('outlines: a point becomes a circle, a polygon keeps its corners', () => {
  assert.equal(outline({ kind: 0, radius: 0, points: [[1, 2, 3]] }).length, 48);
  const corners: [number, number, number][] = [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
  ];
  assert.equal(outline({ kind: 2, radius: 0, points: corners }).length, 3);
});

test('strides are longer when faster and taller', () => {
  assert.ok(strideLength(1.75, 2) > strideLength(1.75, 1));
  assert.ok(strideLength(1.75, 1) > strideLength(1.4, 1));
});

test('traces take the colour of their table, else one by their name', () => {
  const item = (colour: number): TraceItem => ({ name: 'b', colour }) as TraceItem;
  assert.equal(traceColour(item(0x123456), ['a', 'b']).getHex(), 0x123456);
  assert.deepEqual(traceColour(item(0), ['a', 'b']).toArray(), kindColour(1));
});
