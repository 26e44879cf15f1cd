/* Fields over the ground: bands of distance, arrows that lead down the slope, on flat ground and on a mesh. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mesh, Vector3 } from 'three';
import type { FlatGround, MeshGround } from '../../src/engine/types';
import { FieldView, arrow, greatest } from '../../src/view/field';

const flat = {
  kind: 'flat',
  width: 4,
  height: 3,
  x0: 0,
  y0: 0,
  cell: 1,
  clearance: new Float32Array(12).fill(1),
} as unknown as FlatGround;
/* Leads to the right, three cells at most. */
const samples = Float32Array.from(Array.from({ length: 12 }, (_, cell) => [3 - (cell % 4), 0, 1, 0, 0, 1]).flat());

test('the greatest distance is that of samples that lead', () => {
  assert.equal(greatest(Float32Array.from([9, 0, 0, 0, 0, 0, 7, 0, 1, 0, 0, 1])), 7);
});

test('an arrow is as long as it should be', () => {
  const points = arrow(new Vector3(1, 1, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1), 2);
  assert.deepEqual(points.slice(0, 6), [1, 1, 0, 1, 3, 0]);
});

test('cells that cannot be reached are left out; no field, nothing', () => {
  const view = new FieldView();
  const some = samples.slice();
  some[5] = 0;
  view.show(flat, some);
  assert.equal((view.group.children[0] as Mesh).geometry.getAttribute('position').count, 6 * 11);
  view.show(flat, null);
  assert.equal(view.group.children.length, 0);
});

test('on a mesh the arrow of a face points where it leads', () => {
  const mesh = {
    kind: 'mesh',
    vertices: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]),
    corners: Uint32Array.from([0, 1, 2]),
    blocked: new Uint8Array(1),
  } as unknown as MeshGround;
  const view = new FieldView();
  view.show(mesh, Float32Array.from([2, 0, 1, 0, 0, 1]));
  const arrows = (view.group.children[1] as Mesh).geometry.getAttribute('position');
  const along = new Vector3()
    .fromBufferAttribute(arrows as never, 1)
    .sub(new Vector3().fromBufferAttribute(arrows as never, 0));
  assert.ok(along.normalize().x > 0.999);
});
