/* view/field.ts - a field to a goal, drawn over the ground: colour by the distance left, and arrows that lead there.
 *
 * The engine samples it in the middle of every raster cell or face, whatever kind it is of: distance left and direction.
 * Bands of one twelfth of the greatest distance make its shape readable; arrows are at most some thousands.
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

const WIDTH = 6; /* numbers of a sample */
const LEADS = 5; /* which of them says whether the field leads there */

/** The greatest distance of samples that lead, at least a little above 0. */
export function greatest(samples: Float32Array): number {
  let most = 1e-6;
  for (let at = 0; at < samples.length; at += WIDTH)
    if (samples[at + LEADS] && samples[at]! < Infinity) most = Math.max(most, samples[at]!);
  return most;
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

const leads = (samples: Float32Array, i: number): boolean =>
  samples[WIDTH * i + LEADS] === 1 && samples[WIDTH * i]! < Infinity;

function flatParts(ground: FlatGround, samples: Float32Array, parts: Parts): void {
  const most = greatest(samples);
  const every = Math.max(2, Math.ceil(Math.sqrt((ground.width * ground.height) / MOST_ARROWS)));
  const up = new Vector3(0, 0, 1);
  for (let cell = 0; cell < ground.width * ground.height; cell++) {
    if (!leads(samples, cell) || ground.clearance[cell]! <= 0) continue;
    const [i, j] = [cell % ground.width, Math.floor(cell / ground.width)];
    const [x, y] = [ground.x0 + i * ground.cell, ground.y0 + j * ground.cell];
    const [a, b, c, d] = [x - ground.cell / 2, y - ground.cell / 2, x + ground.cell / 2, y + ground.cell / 2];
    const ink = shade(samples[WIDTH * cell]!, most);
    parts.position.push(a, b, LIFT, c, b, LIFT, c, d, LIFT, a, b, LIFT, c, d, LIFT, a, d, LIFT);
    for (let k = 0; k < 6; k++) parts.colour.push(...ink);
    if (i % every || j % every) continue;
    const way = new Vector3().fromArray(samples, WIDTH * cell + 2);
    parts.arrows.push(...arrow(new Vector3(x, y, 2 * LIFT), way, up, 0.7 * every * ground.cell));
  }
}

function meshParts(ground: MeshGround, samples: Float32Array, parts: Parts): void {
  const most = greatest(samples);
  const faces = ground.corners.length / 3;
  const every = Math.max(1, Math.ceil(faces / MOST_ARROWS));
  for (let f = 0; f < faces; f++) {
    if (!leads(samples, f)) continue;
    const corner = [0, 1, 2].map((k) => new Vector3().fromArray(ground.vertices, 3 * ground.corners[3 * f + k]!));
    const across = new Vector3().subVectors(corner[1]!, corner[0]!);
    const normal = across.clone().cross(corner[2]!.clone().sub(corner[0]!)).normalize();
    const ink = shade(samples[WIDTH * f]!, most);
    for (const p of corner) {
      parts.position.push(...p.clone().addScaledVector(normal, LIFT).toArray());
      parts.colour.push(...ink);
    }
    if (f % every) continue;
    const middle = corner.reduce((all, p) => all.addScaledVector(p, 1 / 3), new Vector3());
    const way = new Vector3().fromArray(samples, WIDTH * f + 2);
    parts.arrows.push(...arrow(middle.addScaledVector(normal, 2 * LIFT), way, normal, 0.5 * across.length()));
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

  show(ground: Ground, samples: Float32Array | null): void {
    for (const child of this.group.children) (child as Mesh).geometry.dispose();
    this.group.clear();
    if (!samples) return;
    const parts: Parts = { position: [], colour: [], arrows: [] };
    if (ground.kind === 'flat') flatParts(ground, samples, parts);
    else meshParts(ground, samples, parts);
    const geometry = (positions: number[]): BufferGeometry =>
      new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
    const sheet = geometry(parts.position);
    sheet.setAttribute('color', new BufferAttribute(new Float32Array(parts.colour), 3));
    this.group.add(new Mesh(sheet, this.sheet), new LineSegments(geometry(parts.arrows), this.ink));
  }
}
