/* edit/sketch.ts - what is seen while a hand draws: the line so far, the handles, the box of a choice. */
import {
  BufferAttribute,
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Points,
  PointsMaterial,
  Vector3,
  type Color,
} from 'three';
import type { Handle } from './things';

const LIFT = 0.12; /* [m] */

const geometryOf = (points: number[][]): BufferGeometry => {
  const position = new Float32Array(points.flatMap(([x = 0, y = 0, z = 0]) => [x, y, z + LIFT]));
  return new BufferGeometry().setAttribute('position', new BufferAttribute(position, 3));
};

export class Sketch {
  readonly group = new Group();
  private readonly ink = new LineBasicMaterial({ depthTest: false, color: 0xffb000 });
  private readonly grip = new PointsMaterial({ size: 11, sizeAttenuation: false, depthTest: false, color: 0xffb000 });
  private readonly line = new Line(new BufferGeometry(), this.ink);
  private readonly grips = new Points(new BufferGeometry(), this.grip);
  private readonly box = document.createElement('div');

  constructor() {
    this.box.id = 'box';
    this.box.hidden = true;
    document.body.append(this.box);
    for (const child of [this.line, this.grips]) (child.frustumCulled = false), (child.renderOrder = 6);
    this.group.add(this.line, this.grips);
  }

  paint(colour: Color): void {
    this.ink.color.copy(colour);
    this.grip.color.copy(colour);
  }

  draw(points: number[][], closed = false): void {
    this.line.geometry.dispose();
    this.line.geometry = geometryOf(closed && points[0] ? [...points, points[0]] : points);
  }

  handles(handles: Handle[]): void {
    this.grips.geometry.dispose();
    this.grips.geometry = geometryOf(handles.map(({ at }) => at));
  }

  /** A box in pixels; null: none. */
  frame(box: { x: number; y: number; width: number; height: number } | null): void {
    this.box.hidden = box === null;
    if (!box) return;
    for (const side of ['width', 'height'] as const) this.box.style[side] = `${box[side]}px`;
    this.box.style.left = `${box.x}px`;
    this.box.style.top = `${box.y}px`;
  }
}

/** Where a handle is in space. */
export const gripAt = ({ at }: Handle): Vector3 => new Vector3(at[0], at[1], at[2] + LIFT);
