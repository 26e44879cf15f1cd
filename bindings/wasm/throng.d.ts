/* throng.d.ts - the types of throng.mjs. Metres, seconds, z up; vectors are three numbers in a row of an array. */

/** What the engine refused, in words; `where` is the place in the scene. */
export class ThrongError extends Error {
  readonly where: string;
}

/** Starts an engine; without the bytes of throng.wasm they are read from beside throng.mjs. */
export function start(wasmBinary?: Uint8Array | ArrayBuffer): Promise<Throng>;

export interface Throng {
  /** Makes a run of a scene or of a pack (`throng pack`); a seed of 0 is the scene's. Throws a ThrongError. */
  run(scene: string | Uint8Array, options?: { seed?: number }): Run;
}

export type Vector = [number, number, number];

/** A shape: 0 point, 1 line, 2 polygon, 3 disc. */
export interface Shape {
  kind: number;
  radius: number;
  points: Vector[];
}

export interface About {
  name: string;
  description: string;
  dt: number;
  duration: number;
  seed: number;
  mesh: boolean;
  goals: { name: string; id: number; shape: Shape }[];
  doors: { name: string; closed: boolean; shape: Shape }[];
  populations: string[];
  models: string[];
}

export interface Param {
  name: string;
  type: 'float' | 'int' | 'bool' | 'enum' | 'vec2' | 'place' | 'points';
  unit: string;
  text: string;
  min: number | null;
  max: number | null;
  default: number | null;
  choices?: string[];
}

export interface Tables {
  models: { name: string; summary: string; params: Param[] }[];
  guides: { name: string; summary: string; params: Param[] }[];
  people: Param[];
  traces: { source: string; name: string; type: string; unit: string; text: string; colour: number }[];
  draw: { name: string; part: number; colour: number }[];
}

/** All agents by row. `id` is the index of an id, `model` a number in About.models from 1, 0 stands for none. */
export interface Frame {
  step: number;
  time: number;
  done: boolean;
  count: number;
  id: Uint32Array;
  point: Float32Array;
  previous: Float32Array;
  velocity: Float32Array;
  heading: Float32Array;
  normal: Float32Array;
  radius: Float32Array;
  body: Float32Array;
  speed: Float32Array;
  height: Float32Array;
  state: Uint8Array;
  population: Uint32Array;
  goal: Uint32Array;
  model: Uint32Array;
  group: Uint32Array;
  /** Agents per square metre within 2 m. */
  density: Float32Array;
}

/** Walls are x, y, x, y; the clearance is that of cell centres, negative where the ground is solid. */
export interface FlatGround {
  kind: 'flat';
  version: number;
  walls: Float32Array;
  width: number;
  height: number;
  x0: number;
  y0: number;
  cell: number;
  clearance: Float32Array;
}

/** Half-edge h = 3 f + k runs from corner k of face f to the next one. */
export interface MeshGround {
  kind: 'mesh';
  version: number;
  vertices: Float64Array;
  corners: Uint32Array;
  blocked: Uint8Array;
  levels: Int32Array;
  terrains: Uint32Array;
  wallHalves: Uint32Array;
}

export interface TraceItem {
  name: string;
  source: string;
  unit: string;
  text: string;
  type: number;
  colour: number;
  at: Vector;
  a: Vector;
  b: Vector;
  c: Vector;
  value: number | null;
  columns: number;
  rows: number;
  raster?: (number | null)[];
}

/** Each row begins with its part: lines have two points more, discs centre, normal and radius, triangles three points. */
export interface Drawing {
  lines: Float32Array;
  discs: Float32Array;
  triangles: Float32Array;
  labels: { part: number; at: Vector; text: string }[];
}

export interface Run {
  /** Makes steps, and stops when the run is done. */
  step(count?: number): void;
  readonly done: boolean;
  readonly time: number;
  readonly steps: number;
  /** Of the whole state, 16 digits: that of the native program after the same steps. */
  hash(): string;
  about(): About;
  tables(): Tables;
  ground(): FlatGround | MeshGround;
  /** Doors and obstacles as they are now, with the outlines of those on flat ground. */
  barriers(): { name: string; door: boolean; closed: boolean; shape: Shape }[];
  frame(): Frame;
  /** Of the last step and of what was done since; kinds are those of th_event_kind. */
  events(): { kind: number; agent: number; goal: number; source: number }[];
  /** Makes an event of the scene language happen before the next step, such as {open: 'door'}. */
  do(event: string | object): { agents: number[]; goal: number; guide: number; source: number; group: number };
  log(): { step: number; event: object }[];
  /** Goes to a step, back by snapshots; the hash is that of the first time. */
  goTo(step: number): void;
  /** All that makes an agent what it is, in lines "name value unit". */
  agentText(agent: number): string;
  /** The agent nearest to a point, 0: nobody within `reach`. */
  nearest(point: Vector, reach: number): number;
  /** Where a ray meets the ground. */
  pick(origin: Vector, direction: Vector): Float32Array | null;
  /** Six numbers for each cell or face: distance left, log of the potential, direction in space, 1 where it leads. */
  field(goal: number, radius?: number): Float32Array | null;
  path(from: Vector, goal: number, radius?: number): Float32Array;
  /** Draws parts (a sum of Tables.draw[].part). */
  draw(parts?: number): Drawing;
  /** Traces one agent from now on; 0: nobody. */
  trace(agent: number): void;
  traces(agent: number): TraceItem[];
  free(): void;
}
