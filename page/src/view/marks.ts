/* view/marks.ts - goals, doors, trails and the ring of the chosen agent: lines a little above the ground. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  DoubleSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  RingGeometry,
  Vector3,
} from 'three';
import type { Frame, Shape } from '../engine/types';

const LIFT = 0.06; /* [m] above the ground */
const SHAPE_POINT = 0;
const SHAPE_LINE = 1;

/** The outline of a shape; a point and a disc become circles in the plane of `up`. */
export function outline(shape: Shape): Vector3[] {
  const points = shape.points.map(([x, y, z]) => new Vector3(x, y, z + LIFT));
  if (points.length > 1) return points;
  const [centre] = points;
  if (!centre) return [];
  const radius = shape.radius > 0 && shape.kind !== SHAPE_POINT ? shape.radius : 0.5;
  const circle = (k: number): Vector3 =>
    new Vector3(Math.cos((k * Math.PI) / 24), Math.sin((k * Math.PI) / 24), 0).multiplyScalar(radius).add(centre);
  return Array.from({ length: 48 }, (_, k) => circle(k));
}

export function shapeCentre(shape: Shape): Vector3 {
  const sum = shape.points.reduce((all, [x, y, z]) => all.add(new Vector3(x, y, z)), new Vector3());
  return sum.divideScalar(Math.max(shape.points.length, 1));
}

const BAND = 0.14; /* [m] width of an outline */

/** A flat band along a line of points, two triangles for each of its segments. */
export function band(points: Vector3[], closed: boolean): BufferGeometry {
  const position: number[] = [];
  const side = new Vector3();
  points.forEach((from, i) => {
    const to = points[i + 1] ?? (closed ? points[0] : undefined);
    if (!to) return;
    side
      .subVectors(to, from)
      .cross(new Vector3(0, 0, 1))
      .setLength(BAND / 2);
    const [a, b] = [from.clone().add(side), from.clone().sub(side)];
    const [c, d] = [to.clone().add(side), to.clone().sub(side)];
    for (const p of [a, c, b, b, c, d]) position.push(...p.toArray());
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  return geometry;
}

/** Outlines of all goals, or of all doors. */
export class Outlines {
  readonly group = new Group();
  private readonly material = new MeshBasicMaterial({ side: DoubleSide });

  show(shapes: Shape[], colour: Color): void {
    this.clear();
    this.material.color.copy(colour);
    for (const shape of shapes)
      this.group.add(new Mesh(band(outline(shape), shape.kind !== SHAPE_LINE), this.material));
  }

  clear(): void {
    for (const child of this.group.children) (child as Mesh).geometry.dispose();
    this.group.clear();
  }
}

/** Trails: the last steps of everybody, one segment for each. */
export class Trails {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly room = 120000; /* segments */
  private at = 0;
  private used = 0;

  constructor() {
    const geometry = new BufferGeometry();
    for (const name of ['position', 'color'])
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(6 * this.room), 3).setUsage(DynamicDrawUsage));
    geometry.setDrawRange(0, 0);
    this.lines = new LineSegments(
      geometry,
      new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.7 }),
    );
    this.lines.frustumCulled = false;
    this.lines.visible = false;
  }

  clear(): void {
    this.at = this.used = 0;
    this.lines.geometry.setDrawRange(0, 0);
  }

  add(frame: Frame, colours: Float32Array): void {
    if (!this.lines.visible) return;
    const position = this.lines.geometry.getAttribute('position') as BufferAttribute;
    const colour = this.lines.geometry.getAttribute('color') as BufferAttribute;
    for (let i = 0; i < frame.count; i++) {
      const [from, to] = [frame.previous.subarray(3 * i, 3 * i + 3), frame.point.subarray(3 * i, 3 * i + 3)];
      if (from[0] === to[0] && from[1] === to[1] && from[2] === to[2]) continue;
      position.array.set(from, 6 * this.at);
      position.array.set(to, 6 * this.at + 3);
      for (const end of [0, 1]) {
        for (let k = 0; k < 3; k++) position.array[6 * this.at + 3 * end + k]! += LIFT * frame.normal[3 * i + k]!;
        colour.array.set(colours.subarray(3 * i, 3 * i + 3), 6 * this.at + 3 * end);
      }
      this.at = (this.at + 1) % this.room;
      this.used = Math.min(this.used + 1, this.room);
    }
    position.needsUpdate = colour.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, 2 * this.used);
  }
}

const MOST_RINGS = 2000;

/** Rings round those who are chosen. */
export class Rings {
  readonly group = new Group();
  private readonly shape = new RingGeometry(1.25, 1.6, 32);
  private readonly ink = new MeshBasicMaterial({ depthWrite: false, side: DoubleSide });
  private readonly mesh = new InstancedMesh(this.shape, this.ink, MOST_RINGS);
  private readonly one = new Object3D();

  constructor() {
    this.mesh.renderOrder = 3;
    this.mesh.frustumCulled = false;
    this.group.add(this.mesh);
    this.mesh.count = 0;
  }

  /** Round these rows, `between` of the way from the place before to the place now; rows below 0 have left. */
  show(frame: Frame | null, rows: number[], between: number): void {
    const there = rows.filter((row) => row >= 0).slice(0, MOST_RINGS);
    this.mesh.count = frame ? there.length : 0;
    if (!frame) return;
    const [up, now] = [new Vector3(), new Vector3()];
    there.forEach((row, i) => {
      up.fromArray(frame.normal, 3 * row);
      now.fromArray(frame.point, 3 * row);
      this.one.position
        .fromArray(frame.previous, 3 * row)
        .lerp(now, between)
        .addScaledVector(up, LIFT);
      this.one.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
      this.one.scale.setScalar(Math.max(frame.radius[row]!, 0.2));
      this.one.updateMatrix();
      this.mesh.setMatrixAt(i, this.one.matrix);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  paint(colour: Color): void {
    this.ink.color.copy(colour);
  }
}
