/* Curves: what a frame says of the crowd, and the order of moments when time is gone back to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from '../../src/engine/types';
import { keep, momentOf, type Moment } from '../../src/panel/curves';

test('a moment: means over those who are there, speed over those who walk', () => {
  const frame = {
    time: 2,
    count: 3,
    state: Uint8Array.from([0, 1, 3]),
    velocity: Float32Array.from([9, 9, 9, 3, 4, 0, 0, 0, 0]),
    density: Float32Array.from([9, 1, 2]),
  } as unknown as Frame;
  assert.deepEqual(momentOf(frame), { time: 2, walking: 1, inside: 2, speed: 5, density: 1.5 });
});

test('moments stay in the order of time; the same time is replaced', () => {
  const moments: Moment[] = [];
  const at = (time: number, walking: number): Moment => ({ time, walking, inside: 0, speed: 0, density: 0 });
  for (const moment of [at(0, 1), at(2, 2), at(1, 3), at(2, 4), at(3, 5), at(0, 6)]) keep(moments, moment);
  assert.deepEqual(
    moments.map(({ time, walking }) => [time, walking]),
    [
      [0, 6],
      [1, 3],
      [2, 4],
      [3, 5],
    ],
  );
});
