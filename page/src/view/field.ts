/* view/field.ts - a field to a goal, drawn over the ground: colour by the distance left, and arrows that lead there.
 *
 * All that is needed is the distance left of every raster cell or every vertex, whatever kind the field is of. Bands of
 * one twelfth of the greatest distance make its shape readable; arrows point down its slope, at most some thousands.
 */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import type { FlatGround, Ground, MeshGround } from '../engine/types';
import { rampColour } from './colours';

const LIFT = 0.04; /* [m] */
const BANDS = 12;
const MOST_ARROWS = 3000;

/** The greatest finite value, at least a little above 0. */
export function greatest(values: Float32Array): number {
  return values.reduce((most, value) => (value < Infinity && value > most ? value : most), 1e-6);
}

/** From 1 at the goal to 0 where it is farthest, in bands. */
function shade(left: number, most: number): [number, number, number] {
  const part = 1 - left / most;
  return rampColour((Math.floor(part * BANDS) + 0.5) / BANDS);
}

interface Parts {
  position: number[];
  colour: number[];
  arrows: number[];
}

/** An arrow of a given length that begins at `at`. */
export function arrow(at: Vector3, direction: Vector3, up: Vector3, length: number): number[] {
  const tip = at.clone().addScaledVector(direction, length);
  const side = new Vector3().crossVectors(up, direction).multiplyScalar(0.25 * length);
  const neck = at.clone().addScaledVector(direction, 0.6 * length);
  return [at, tip, tip, neck.clone().add(side), tip, neck.sub(side)].flatMap((p) => p.toArray());
}

/** Where the field of flat ground leads at a cell: down the slope of the distance; null where it is not known. */
export function slope(ground: FlatGround, left: Float32Array, i: number, j: number): Vector3 | null {
  const value = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= ground.width || y >= ground.height ? Infinity : left[y * ground.width + x]!;
  const [w, e, s, n] = [value(i - 1, j), value(i + 1, j), value(i, j - 1), value(i, j + 1)];
  if (![w, e, s, n].every(Number.isFinite)) return null;
  const down = new Vector3(w - e, s - n, 0);
  return down.lengthSq() > 0 ? down.normalize() : null;
}

function flatParts(ground: FlatGround, left: Float32Array, parts: Parts): void {
  const most = greatest(left);
  const every = Math.max(2, Math.ceil(Math.sqrt((ground.width * ground.height) / MOST_ARROWS)));
  const up = new Vector3(0, 0, 1);
  for (let cell = 0; cell < left.length; cell++) {
    if (!Number.isFinite(left[cell]!) || ground.clearance[cell]! <= 0) continue;
    const [i, j] = [cell % ground.width, Math.floor(cell / ground.width)];
    const [x, y] = [ground.x0 + i * ground.cell, ground.y0 + j * ground.cell];
    const [a, b, c, d] = [x - ground.cell / 2, y - ground.cell / 2, x + ground.cell / 2, y + ground.cell / 2];
    const ink = shade(left[cell]!, most);
    parts.position.push(a, b, LIFT, c, b, LIFT, c, d, LIFT, a, b, LIFT, c, d, LIFT, a, d, LIFT);
    for (let k = 0; k < 6; k++) parts.colour.push(...ink);
    const down = i % every === 0 && j % every === 0 ? slope(ground, left, i, j) : null;
    if (down) parts.arrows.push(...arrow(new Vector3(x, y, 2 * LIFT), down, up, 0.7 * every * ground.cell));
  }
}

/* The gradient of a linear function on a triangle is a sum over its edges, each turned by a right angle. */
function faceSlope(corner: Vector3[], value: number[], normal: Vector3): Vector3 {
  const sum = new Vector3();
  corner.forEach((_, k) => {
    const edge = corner[(k + 2) % 3]!.clone().sub(corner[(k + 1) % 3]!);
    sum.addScaledVector(new Vector3().crossVectors(normal, edge), -value[k]!);
  });
  return sum.lengthSq() > 0 ? sum.normalize() : sum;
}

function meshParts(ground: MeshGround, left: Float32Array, parts: Parts): void {
  const most = greatest(left);
  const faces = ground.corners.length / 3;
  const every = Math.max(1, Math.ceil(faces / MOST_ARROWS));
  for (let f = 0; f < faces; f++) {
    const index = [0, 1, 2].map((k) => ground.corners[3 * f + k]!);
    const value = index.map((vertex) => left[vertex]!);
    if (ground.blocked[f] || !value.every(Number.isFinite)) continue;
    const corner = index.map((vertex) => new Vector3().fromArray(ground.vertices, 3 * vertex));
    const across = new Vector3().subVectors(corner[1]!, corner[0]!);
    const normal = across.clone().cross(corner[2]!.clone().sub(corner[0]!)).normalize();
    for (const [k, p] of corner.entries()) {
      parts.position.push(...p.clone().addScaledVector(normal, LIFT).toArray());
      parts.colour.push(...shade(value[k]!, most));
    }
    if (f % every) continue;
    const middle = corner.reduce((all, p) => all.addScaledVector(p, 1 / 3), new Vector3());
    const down = faceSlope(corner, value, normal);
    parts.arrows.push(...arrow(middle.addScaledVector(normal, 2 * LIFT), down, normal, 0.5 * across.length()));
  }
}

export class FieldView {
  readonly group = new Group();
  private readonly sheet = new MeshBasicMaterial({
    vertexColors: true,
    transparent: true,
    opacity: 0.72,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
  });
  private readonly ink = new LineBasicMaterial({ color: new Color(0x10151c) });

  show(ground: Ground, left: Float32Array | null): void {
    for (const child of this.group.children) (child as Mesh).geometry.dispose();
    this.group.clear();
    if (!left) return;
    const parts: Parts = { position: [], colour: [], arrows: [] };
    if (ground.kind === 'flat') flatParts(ground, left, parts);
    else meshParts(ground, left, parts);
    const geometry = (positions: number[]): BufferGeometry =>
      new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
    const sheet = geometry(parts.position);
    sheet.setAttribute('color', new BufferAttribute(new Float32Array(parts.colour), 3));
    this.group.add(new Mesh(sheet, this.sheet), new LineSegments(geometry(parts.arrows), this.ink));
  }
}
