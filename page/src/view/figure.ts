/* view/figure.ts - the body of a walking figure, and a disc, as geometry of unit height that a shader moves.
 *
 * x is ahead, y to the left, z up; the height of a figure is 1, its shoulders are 1 wide in y before the shader scales
 * them. The attribute `part` says which limb a vertex belongs to: 0 trunk and head, 1 and 2 legs, 3 and 4 arms; limbs
 * turn about their upper end. Proportions are those of an adult (legs 0.47 of the height).
 */
import {
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CircleGeometry,
  CylinderGeometry,
  SphereGeometry,
} from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

export const HIP = 0.5;
export const SHOULDER = 0.8;

/* As geometries of three stand along y: turned upright, with the number of a limb. */
function part(geometry: BufferGeometry, number: number, shade: number): BufferGeometry {
  geometry.rotateX(Math.PI / 2);
  geometry.deleteAttribute('uv');
  const count = geometry.getAttribute('position').count;
  geometry.setAttribute('part', new BufferAttribute(new Float32Array(count).fill(number), 1));
  geometry.setAttribute('shade', new BufferAttribute(new Float32Array(count).fill(shade), 1));
  return geometry;
}

function limb(number: number, y: number, top: number, length: number, width: number, shade: number): BufferGeometry {
  const shape = part(new CapsuleGeometry(width, length - 2 * width, 2, 6), number, shade);
  shape.translate(0, y, top - length / 2);
  return shape;
}

function foot(number: number, y: number): BufferGeometry {
  const shape = part(new CapsuleGeometry(0.022, 0.07, 2, 5), number, 0.35);
  shape.rotateY(Math.PI / 2);
  shape.translate(0.03, y, 0.022);
  return shape;
}

/** Shoulders are 2 in y (from -1 to 1), so that the shader scales them by half of a body's width. */
export function figureGeometry(): BufferGeometry {
  const trunk = part(new CylinderGeometry(0.105, 0.08, 0.34, 10, 1), 0, 1);
  trunk.scale(0.75, 1.25, 1);
  trunk.translate(0, 0, 0.65);
  const shoulders = part(new SphereGeometry(0.106, 10, 4, 0, 2 * Math.PI, 0, Math.PI / 2), 0, 1);
  shoulders.scale(0.75, 1.25, 0.45);
  shoulders.translate(0, 0, 0.82);
  const neck = part(new CylinderGeometry(0.03, 0.03, 0.06, 6, 1, true), 0, 1.7);
  neck.translate(0, 0, 0.875);
  const head = part(new SphereGeometry(0.062, 10, 8), 0, 1.7);
  head.scale(1, 0.85, 1.15);
  head.translate(0.01, 0, 0.93);
  const limbs = [-1, 1].flatMap((side) => [
    limb(side > 0 ? 1 : 2, side * 0.055, HIP, HIP, 0.042, 0.5),
    foot(side > 0 ? 1 : 2, side * 0.055),
    limb(side > 0 ? 3 : 4, side * 0.145, SHOULDER + 0.02, 0.36, 0.03, 0.85),
  ]);
  const whole = mergeGeometries([trunk, shoulders, neck, head, ...limbs]);
  whole.scale(1, 1 / 0.175, 1);
  return whole;
}

/** A disc of radius 1 with a nose that points ahead. */
export function discGeometry(): BufferGeometry {
  const disc = part(new CylinderGeometry(1, 1, 1, 14, 1), 0, 1);
  disc.translate(0, 0, 0.5);
  const nose = part(new CylinderGeometry(0.28, 0.28, 1.15, 3, 1), 0, 1.7);
  nose.rotateZ(0);
  nose.translate(0.55, 0, 0.6);
  return mergeGeometries([disc, nose]);
}

/** The soft shadow under a body. */
export function shadowGeometry(): BufferGeometry {
  const shape = new CircleGeometry(1, 16);
  shape.deleteAttribute('uv');
  const count = shape.getAttribute('position').count;
  const shade = new Float32Array(count);
  shade[0] = 1; /* the middle */
  shape.setAttribute('shade', new BufferAttribute(shade, 1));
  shape.setAttribute('part', new BufferAttribute(new Float32Array(count), 1));
  return shape;
}
