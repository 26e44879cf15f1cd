/* Fields over the ground: bands of distance, arrows that lead down the slope, on flat ground and on a mesh. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mesh, Vector3 } from 'three';
import type { FlatGround, MeshGround } from '../../src/engine/types';
import { FieldView, arrow, greatest, slope } from '../../src/view/field';

const flat = {
  kind: 'flat',
  width: 4,
  height: 3,
  x0: 0,
  y0: 0,
  cell: 1,
  clearance: new Float32Array(12).fill(1),
} as unknown as FlatGround;
const left = Float32Array.from({ length: 12 }, (_, cell) => 3 - (cell % 4));

test('the slope leads to where less is left, and is not known beside the rim', () => {
  assert.deepEqual(slope(flat, left, 1, 1)?.toArray(), [1, 0, 0]);
  assert.equal(slope(flat, left, 0, 1), null);
  assert.equal(greatest(Float32Array.from([1, Infinity, 7])), 7);
});

test('an arrow is as long as it should be', () => {
  const points = arrow(new Vector3(1, 1, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1), 2);
  assert.deepEqual(points.slice(0, 6), [1, 1, 0, 1, 3, 0]);
});

test('cells that cannot be reached are left out; no field, nothing', () => {
  const view = new FieldView();
  const some = left.slice();
  some[0] = Infinity;
  view.show(flat, some);
  assert.equal((view.group.children[0] as Mesh).geometry.getAttribute('position').count, 6 * 11);
  view.show(flat, null);
  assert.equal(view.group.children.length, 0);
});

test('on a mesh the arrow of a face points down its slope', () => {
  const mesh = {
    kind: 'mesh',
    vertices: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]),
    corners: Uint32Array.from([0, 1, 2]),
    blocked: new Uint8Array(1),
  } as unknown as MeshGround;
  const view = new FieldView();
  view.show(mesh, Float32Array.from([2, 1, 2]));
  const arrows = (view.group.children[1] as Mesh).geometry.getAttribute('position');
  const along = new Vector3()
    .fromBufferAttribute(arrows as never, 1)
    .sub(new Vector3().fromBufferAttribute(arrows as never, 0));
  assert.ok(along.normalize().x > 0.999);
});
