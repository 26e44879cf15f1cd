/* view/people.ts - everybody, as instances of one figure, or of a disc beyond some thousands.
 *
 * Figures, discs and shadows share the arrays of their instances. What moves between two steps is interpolated by the
 * shader; here arrays are filled once per step. Somebody who was not there in the frame before stands where it is.
 */
import {
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  type BufferGeometry,
} from 'three';
import type { Frame } from '../engine/types';
import { DELAYED } from './colours';
import { discGeometry, figureGeometry, shadowGeometry } from './figure';
import { peopleMaterial } from './people_shader';

export type Look = 'auto' | 'figures' | 'discs';
export const MOST_FIGURES = 4000;

const WIDTHS = { from: 3, to: 3, turnFrom: 3, turnTo: 3, up: 3, size: 3, stride: 3, colour: 3 };
type Column = keyof typeof WIDTHS;

/** Length of a stride, two steps [m], as th_stride_length of throng/watch.h has it. */
export function strideLength(height: number, speed: number): number {
  const hip = 0.53 * height;
  return 1.346 * Math.sqrt(Math.max(speed, 0.02) / hip) * hip;
}

export class People {
  readonly group = new Group();
  private column = {} as Record<Column, InstancedBufferAttribute>;
  private meshes: Mesh<InstancedBufferGeometry, ReturnType<typeof peopleMaterial>>[] = [];
  private capacity = 0;
  private row = new Map<number, number>();
  private phase = new Map<number, { walked: number; phase: number }>();
  private heading = new Float32Array();
  private last: Frame | null = null;
  look: Look = 'auto';

  private reserve(count: number): void {
    if (count <= this.capacity) return;
    this.capacity = Math.max(256, 2 * count);
    for (const [name, width] of Object.entries(WIDTHS)) {
      const attribute = new InstancedBufferAttribute(new Float32Array(width * this.capacity), width);
      this.column[name as Column] = attribute.setUsage(DynamicDrawUsage);
    }
    for (const mesh of this.meshes) mesh.geometry.dispose();
    this.group.clear();
    this.meshes = [figureGeometry(), discGeometry(), shadowGeometry()].map((shape, mode) =>
      this.instances(shape, mode),
    );
    this.group.add(...this.meshes);
  }

  private instances(
    shape: BufferGeometry,
    mode: number,
  ): Mesh<InstancedBufferGeometry, ReturnType<typeof peopleMaterial>> {
    const geometry = new InstancedBufferGeometry();
    geometry.index = shape.index;
    for (const [name, attribute] of Object.entries(shape.attributes)) geometry.setAttribute(name, attribute);
    for (const [name, attribute] of Object.entries(this.column)) geometry.setAttribute(name, attribute);
    const mesh = new Mesh(geometry, peopleMaterial(mode));
    mesh.frustumCulled = false;
    mesh.renderOrder = mode === 2 ? 1 : 2;
    return mesh;
  }

  /** Shows a frame; `jump`: what was before does not lead to it (another step was gone to). */
  show(frame: Frame, colours: Float32Array, jump: boolean): void {
    this.reserve(Math.max(frame.count, 1));
    const was = jump ? null : this.last;
    const set = (name: Column, values: ArrayLike<number>): void => {
      (this.column[name].array as Float32Array).set(values);
    };
    set('from', jump ? frame.point : frame.previous);
    set('to', frame.point);
    set('turnFrom', frame.heading);
    set('turnTo', frame.heading);
    set('up', frame.normal);
    set('colour', colours);
    for (let i = 0; i < frame.count; i++) this.fill(frame, i, was);
    for (const name of Object.keys(WIDTHS) as Column[]) this.column[name].needsUpdate = true;
    this.remember(frame);
    this.choose(frame.count);
  }

  recolour(colours: Float32Array): void {
    if (!this.capacity) return;
    (this.column.colour.array as Float32Array).set(colours);
    this.column.colour.needsUpdate = true;
  }

  private fill(frame: Frame, i: number, was: Frame | null): void {
    const id = frame.id[i]!;
    const before = was ? this.row.get(id) : undefined;
    if (before !== undefined)
      for (let k = 0; k < 3; k++)
        (this.column.turnFrom.array as Float32Array)[3 * i + k] = this.heading[3 * before + k]!;
    const size = this.column.size.array as Float32Array;
    const there = frame.state[i] !== DELAYED ? 1 : 0;
    size[3 * i] = there * frame.height[i]!;
    size[3 * i + 1] = there * frame.body[i]!;
    size[3 * i + 2] = there * frame.radius[i]!;
    const speed = Math.hypot(frame.velocity[3 * i]!, frame.velocity[3 * i + 1]!, frame.velocity[3 * i + 2]!);
    const stride = this.column.stride.array as Float32Array;
    const old = this.phase.get(id);
    const begin = before !== undefined && old ? old.phase : 0.7 * id;
    const way = before !== undefined && old ? Math.max(0, frame.walked[i]! - old.walked) : 0;
    const phase = begin + (2 * Math.PI * way) / strideLength(frame.height[i]!, speed);
    stride[3 * i] = begin;
    stride[3 * i + 1] = phase;
    stride[3 * i + 2] = Math.min(0.62, 0.42 * Math.sqrt(speed / 1.34));
    this.phase.set(id, { walked: frame.walked[i]!, phase });
  }

  private remember(frame: Frame): void {
    this.row.clear();
    for (let i = 0; i < frame.count; i++) this.row.set(frame.id[i]!, i);
    this.heading = frame.heading;
    this.last = frame;
    if (this.phase.size > 4 * frame.count + 1000) this.phase.clear();
  }

  private choose(count: number): void {
    const figures = this.look === 'figures' || (this.look === 'auto' && count <= MOST_FIGURES);
    this.meshes.forEach((mesh, mode) => {
      mesh.geometry.instanceCount = count;
      mesh.visible = mode === 2 || figures === (mode === 0);
    });
  }

  lookAs(look: Look): void {
    this.look = look;
    if (this.last) this.choose(this.last.count);
  }

  set between(value: number) {
    for (const mesh of this.meshes) mesh.material.uniforms['between']!.value = value;
  }
}
