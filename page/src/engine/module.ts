/* engine/module.ts - the engine's flat C interface as a class; the only file that knows its names.
 *
 * Pointers are numbers into the module's memory, which may grow and then moves: views are made anew for each read, and
 * what leaves this file is a copy. Numbers of 64 bits cross as doubles or as text.
 */
import {
  NO_INDEX,
  type About,
  type AgentNow,
  type Barrier,
  type Deed,
  type Drawn,
  type Made,
  type Frame,
  type Ground,
  type Schema,
  type Tables,
  type TraceItem,
  type Trouble,
} from './types';

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

/* th_page_column of apps/page/page.h. */
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
  Height,
  State,
  Population,
  Goal,
  Model,
  Group,
  Density,
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
    if (!this.page) throw new EngineError({ where: '', text: 'there is no scene' });
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

  private trouble(): Trouble {
    return JSON.parse(this.text('error')) as Trouble;
  }

  private fail(): never {
    throw new EngineError(this.trouble());
  }

  /** Makes a run of a packed scene; the one before is dropped. */
  load(scene: Uint8Array, seed: number): void {
    if (this.page) this.call('free');
    this.page = 0;
    const pointer = this.wasm._malloc(scene.length + 1);
    if (!pointer) throw new EngineError({ where: '', text: 'there is not enough memory' });
    this.wasm.HEAPU8.set(scene, pointer);
    this.page = this.wasm._th_page_make!(pointer, scene.length, seed);
    this.wasm._free(pointer);
    if (!this.page) throw new EngineError({ where: '', text: 'there is not enough memory' });
    if (!this.call('failed')) return;
    const trouble = this.trouble();
    this.call('free');
    this.page = 0;
    throw new EngineError(trouble);
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
    if (count >>> 0 === NO_INDEX) throw new EngineError({ where: '', text: 'there is not enough memory' });
    const at = (column: Column): number => this.call('array', column);
    const vector = (column: Column): Float32Array => this.floats(at(column), 3 * count);
    const number = (column: Column): Float32Array => this.floats(at(column), count);
    const whole = (column: Column): Uint32Array => this.words(at(column), count);
    return {
      step: this.steps,
      time: this.call('time'),
      dt,
      done: this.done,
      count,
      id: whole(Column.Id),
      point: vector(Column.Point),
      previous: vector(Column.Previous),
      velocity: vector(Column.Velocity),
      heading: vector(Column.Heading),
      normal: vector(Column.Normal),
      radius: number(Column.Radius),
      body: number(Column.Body),
      height: number(Column.Height),
      speed: number(Column.Speed),
      state: this.bytes(at(Column.State), count),
      population: whole(Column.Population),
      goal: whole(Column.Goal),
      model: whole(Column.Model),
      group: whole(Column.Group),
      density: number(Column.Density),
      groundVersion: this.groundVersion,
    };
  }

  /** x, y, z and the level of a building. */
  pick(origin: number[], direction: number[]): [number, number, number, number] | null {
    new Float32Array(this.wasm.HEAPU8.buffer, this.scratch, 6).set([...origin, ...direction]);
    if (!this.call('pick', this.scratch, this.scratch + 32)) return null;
    return Array.from(this.floats(this.scratch + 32, 4)) as [number, number, number, number];
  }

  tables(): Tables {
    return JSON.parse(this.text('tables')) as Tables;
  }

  schema(): Schema {
    return JSON.parse(this.text('schema')) as Schema;
  }

  agentNow(agent: number): AgentNow | null {
    return JSON.parse(this.text('agent_now', agent)) as AgentNow | null;
  }

  /** Four numbers for each marker: place and weight. */
  markers(group: number): Float32Array | null {
    const at = this.call('markers', group, this.scratch);
    return at ? this.floats(at, 4 * this.words(this.scratch, 1)[0]!) : null;
  }

  draw(parts: number): Drawn {
    if (this.call('draw', parts)) this.fail();
    const [lines, discs, triangles] = [7, 8, 10].map((width, list) => {
      const at = this.call('list', list, this.scratch);
      return this.floats(at, width * this.words(this.scratch, 1)[0]!);
    });
    return { lines: lines!, discs: discs!, triangles: triangles! };
  }

  /** The run as a scene with what was done by hand. */
  episode(): string {
    const text = this.text('episode');
    if (!text) this.fail();
    return text;
  }

  /** Takes back what was done last. */
  undo(): void {
    if (this.call('undo')) this.fail();
  }

  barriers(): Barrier[] {
    return JSON.parse(this.text('barriers')) as Barrier[];
  }

  listing(agent: number): string {
    return this.text('agent_text', agent);
  }

  /** Six numbers for each cell or face: distance left, log of the potential, direction, whether it leads. */
  field(goal: number, radius: number): Float32Array | null {
    const samples = this.call('field', goal, radius, this.scratch);
    return samples ? this.floats(samples, 6 * this.words(this.scratch, 1)[0]!) : null;
  }

  /** One event of the scene language, in JSON; refused as a whole when it is wrong. */
  act(event: string): Made {
    const bytes = new TextEncoder().encode(`${event}\0`);
    const pointer = this.wasm._malloc(bytes.length);
    this.wasm.HEAPU8.set(bytes, pointer);
    const failed = this.call('do', pointer);
    this.wasm._free(pointer);
    if (failed) this.fail();
    return JSON.parse(this.text('answer')) as Made;
  }

  /** What was done by hand. */
  log(): Deed[] {
    return JSON.parse(this.text('log')) as Deed[];
  }

  goTo(step: number): void {
    if (this.call('go_to', step)) this.fail();
  }

  trace(agent: number): void {
    if (this.call('trace', agent)) this.fail();
  }

  traces(agent: number): TraceItem[] {
    return JSON.parse(this.text('traces', agent)) as TraceItem[];
  }
}
