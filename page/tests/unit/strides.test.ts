/* The way that agents have walked: added up by id, begun anew where somebody else takes an index. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Strides } from '../../src/engine/strides';
import type { Frame } from '../../src/engine/types';

function frame(...agents: [id: number, x: number, y: number][]): Frame {
  const point = Float32Array.from(agents.flatMap(([, x, y]) => [x, y, 0]));
  return { count: agents.length, id: Uint32Array.from(agents.map(([id]) => id)), point } as unknown as Frame;
}

test('ways add up by id, whatever the row', () => {
  const strides = new Strides();
  assert.deepEqual([...strides.add(frame([7, 0, 0], [9, 5, 5])).walked], [0, 0]);
  assert.deepEqual([...strides.add(frame([9, 5, 6], [7, 3, 4])).walked], [1, 5]);
  assert.deepEqual([...strides.add(frame([7, 3, 5])).walked], [6]);
});

test('who left and came back, or jumped, begins at nothing', () => {
  const strides = new Strides();
  strides.add(frame([1, 0, 0], [2, 0, 0]));
  strides.add(frame([2, 1, 0]));
  assert.deepEqual([...strides.add(frame([1, 1, 0], [2, 99, 0])).walked], [0, 0]);
});
