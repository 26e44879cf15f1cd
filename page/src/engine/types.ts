/* engine/types.ts - what the engine tells the page.
 *
 * Everything is in metres and seconds, z up, as in the library. Arrays are typed and belong to who receives them: they
 * were moved from the worker, not copied. Nothing here knows a model: names and kinds come from the engine's tables.
 */

/** A shape as in throng/geometry.h: 0 point, 1 line, 2 disc, 3 polygon. */
export interface Shape {
  kind: number;
  radius: number;
  points: [number, number, number][];
}

export interface Goal {
  name: string;
  id: number;
  shape: Shape;
}

/** A door or an obstacle as it is now; on a mesh its shape has no points. */
export interface Barrier {
  name: string;
  door: boolean;
  closed: boolean;
  shape: Shape;
}

/** What a scene says of itself, once it has been made. */
export interface About {
  name: string;
  description: string;
  dt: number;
  duration: number;
  seed: number;
  mesh: boolean;
  goals: Goal[];
  populations: string[];
  models: string[];
}

/** What an event made or meant, by the indices of ids. */
export interface Made {
  agents: number[];
  goal: number;
  guide: number;
  source: number;
  group: number;
}

/** Something that was done by hand, before a step. */
export interface Deed {
  step: number;
  event: object;
}

/** Flat ground: walls as x, y, x, y and the clearance at cell centres, negative where it is solid. */
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

/** Mesh ground: half-edge h = 3 f + k runs from corner k of face f to the next one. */
export interface MeshGround {
  kind: 'mesh';
  version: number;
  vertices: Float32Array;
  corners: Uint32Array;
  blocked: Uint8Array;
  levels: Int32Array;
  terrains: Uint32Array;
  wallHalves: Uint32Array;
}

export type Ground = FlatGround | MeshGround;

/** All agents at one step, by row. Vectors have three numbers each. */
export interface Frame {
  step: number;
  time: number;
  dt: number;
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
  height: Float32Array;
  speed: Float32Array;
  state: Uint8Array;
  population: Uint32Array;
  goal: Uint32Array;
  model: Uint32Array;
  group: Uint32Array;
  /** Agents per square metre within 2 m. */
  density: Float32Array;
  /** Way walked since the agent was first seen [m]: legs follow it. */
  walked: Float32Array;
  groundVersion: number;
}

/** One item that a model, guide or layer published about an agent (throng/trace.h). */
export interface TraceItem {
  name: string;
  source: string;
  unit: string;
  text: string;
  type: number;
  colour: number;
  at: [number, number, number];
  a: [number, number, number];
  b: [number, number, number];
  c: [number, number, number];
  value: number | null;
  columns: number;
  rows: number;
  /** Row by row; null where there is no number. */
  raster?: (number | null)[];
}

export const TRACE_SCALAR = 0;
export const TRACE_VECTOR = 1;
export const TRACE_POINT = 2;
export const TRACE_SEGMENT = 3;
export const TRACE_LINE = 4;
export const TRACE_RASTER = 5;

export const NO_INDEX = 0xffffffff;

/** An error in words: `where` is the place in the scene. */
export interface Trouble {
  where: string;
  text: string;
}
