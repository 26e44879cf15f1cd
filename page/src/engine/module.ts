/* engine/module.ts - the engine's flat C interface as a class; the only file that knows its names.
 *
 * Pointers are numbers into the module's memory, which may grow and then moves: views are made anew for each read, and
 * what leaves this file is a copy. Numbers of 64 bits cross as doubles or as text.
 */
import type { About, Frame, Ground, TraceItem, Trouble } from './types';

export interface Wasm {
  HEAPU8: Uint8Array;
  UTF8ToString(pointer: number): string;
  _malloc(size: number): number;
  _free(pointer: number): void;
  [name: `_th_page_${string}`]: (...values: number[]) => number;
}

/** A scene that was refused, or a step that failed. */
export class EngineError extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.where ? `${trouble.where}: ${trouble.text}` : trouble.text);
  }
}

/* The numbers of the arrays of a frame. */
const enum Column {
  Id,
  Point,
  Previous,
  Velocity,
  Heading,
  Normal,
  Radius,
  Body,
  Speed,
  Left,
  Gait,
  State,
  Label,
  Height,
}

export class Engine {
  private page = 0;
  private readonly scratch: number;

  constructor(private readonly wasm: Wasm) {
    this.scratch = wasm._malloc(64);
  }

  private call(name: string, ...values: number[]): number {
    const f = this.wasm[`_th_page_${name}`];
    if (!f) throw new Error(`the engine has no call ${name}`);
    return f(this.page, ...values);
  }

  private text(name: string, ...values: number[]): string {
    return this.wasm.UTF8ToString(this.call(name, ...values));
  }

  private floats(pointer: number, count: number): Float32Array {
    return new Float32Array(this.wasm.HEAPU8.buffer, pointer, count).slice();
  }

  private words(pointer: number, count: number): Uint32Array {
    return new Uint32Array(this.wasm.HEAPU8.buffer, pointer, count).slice();
  }

  private bytes(pointer: number, count: number): Uint8Array {
    return new Uint8Array(this.wasm.HEAPU8.buffer, pointer, count).slice();
  }

  private fail(): never {
    throw new EngineError(JSON.parse(this.text('error')) as Trouble);
  }

  /** Makes a run of a packed scene; the one before is dropped. */
  load(scene: Uint8Array, seed: number): void {
    if (this.page) this.call('free');
    const pointer = this.wasm._malloc(scene.length + 1);
    this.wasm.HEAPU8.set(scene, pointer);
    this.page = this.wasm._th_page_make!(pointer, scene.length, seed);
    this.wasm._free(pointer);
    if (this.call('failed')) this.fail();
  }

  about(): About {
    return JSON.parse(this.text('about')) as About;
  }

  step(): void {
    if (this.call('step')) this.fail();
  }

  get done(): boolean {
    return this.call('done') !== 0;
  }

  get steps(): number {
    return this.call('steps');
  }

  hash(): string {
    return this.text('hash');
  }

  get groundVersion(): number {
    return this.call('ground_version');
  }

  ground(mesh: boolean): Ground {
    const count = this.scratch;
    const one = (): number => this.words(count, 1)[0]!;
    const version = this.groundVersion;
    if (mesh) {
      const xyz = this.call('vertices', count);
      const vertices = Float32Array.from(new Float64Array(this.wasm.HEAPU8.buffer, xyz, 3 * one()));
      const corner = this.call('corners', count);
      const faces = one();
      const corners = this.words(corner, 3 * faces);
      const blocked = this.bytes(this.call('blocked'), faces);
      const halves = this.call('wall_halves', count);
      const wallHalves = this.words(halves, one());
      const levels = Int32Array.from({ length: faces }, (_, f) => this.call('level', f));
      const terrains = Uint32Array.from({ length: faces }, (_, f) => this.call('terrain', f));
      return { kind: 'mesh', version, vertices, corners, blocked, levels, terrains, wallHalves };
    }
    const wall = this.call('walls', count);
    const walls = this.floats(wall, 4 * one());
    const sample = this.call('raster', count, count + 16);
    const [width, height] = this.words(count, 2) as unknown as [number, number];
    const [x0, y0, cell] = this.floats(count + 16, 3) as unknown as [number, number, number];
    return {
      kind: 'flat',
      version,
      walls,
      width,
      height,
      x0,
      y0,
      cell,
      clearance: this.floats(sample, width * height),
    };
  }

  frame(dt: number): Omit<Frame, 'walked'> {
    const count = this.call('frame');
    this.call('labels');
    const at = (what: Column): number => this.call('array', what);
    const vector = (what: Column): Float32Array => this.floats(at(what), 3 * count);
    const labels = this.words(at(Column.Label), 4 * count);
    const column = (k: number): Uint32Array => Uint32Array.from({ length: count }, (_, i) => labels[4 * i + k]!);
    return {
      step: this.steps,
      time: this.call('time'),
      dt,
      done: this.done,
      count,
      id: this.words(at(Column.Id), count),
      point: vector(Column.Point),
      previous: vector(Column.Previous),
      velocity: vector(Column.Velocity),
      heading: vector(Column.Heading),
      normal: vector(Column.Normal),
      radius: this.floats(at(Column.Radius), count),
      body: this.floats(at(Column.Body), count),
      height: this.floats(at(Column.Height), count),
      speed: this.floats(at(Column.Speed), count),
      state: this.bytes(at(Column.State), count),
      population: column(0),
      goal: column(1),
      model: column(2),
      groundVersion: this.groundVersion,
    };
  }

  pick(origin: number[], direction: number[]): [number, number, number] | null {
    if (!this.call('pick', ...origin, ...direction, this.scratch)) return null;
    return Array.from(this.floats(this.scratch, 3)) as [number, number, number];
  }

  trace(agent: number): void {
    if (this.call('trace', agent)) this.fail();
  }

  traces(agent: number): TraceItem[] {
    return JSON.parse(this.text('traces', agent)) as TraceItem[];
  }
}
