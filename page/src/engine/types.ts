/* engine/types.ts - what the engine tells the page.
 *
 * Everything is in metres and seconds, z up, as in the library. Arrays are typed and belong to who receives them: they
 * were moved from the worker, not copied. Nothing here knows a model: names and kinds come from the engine's tables.
 */

/** A shape as in throng/geometry.h: 0 point, 1 line, 2 disc, 3 polygon. */
export interface Shape {
  kind: number;
  radius: number;
  /** Of a building, 0: any. */
  level?: number;
  /** A line whose points belong together two by two. */
  apart?: boolean;
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

/** What leads agents: its kind, its parameters as texts, and the points of a path. */
export interface Guide {
  name: string;
  id: number;
  kind: string;
  params: Record<string, string>;
  closed: boolean;
  points: [number, number, number][];
}

/** Agents that belong together, and the outlines that they fill. */
export interface Group {
  name: string;
  id: number;
  members: number;
  areas: [number, number, number][][];
}

/** A row of a table of the engine: one parameter, with all that a control needs. */
export interface Row {
  name: string;
  type: 'float' | 'int' | 'bool' | 'enum' | 'vec2' | 'place' | 'points';
  unit: string;
  text: string;
  min: number | null;
  max: number | null;
  default: number | null;
  choices?: string[];
}

export interface Table {
  name: string;
  summary: string;
  params: Row[];
}

export interface Tables {
  models: Table[];
  guides: Table[];
  people: Row[];
  traces: { source: string; name: string; type: string; unit: string; text: string; colour: number }[];
  draw: { name: string; part: number; colour: number }[];
}

/** JSON schema of scenes, as far as controls read it. */
export interface Schema {
  $defs: Record<string, { properties: Record<string, SchemaKey> }>;
}
export interface SchemaKey {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  description?: string;
  anyOf?: SchemaKey[];
  $ref?: string;
}

export interface Link {
  role: string;
  agent?: number;
  point?: [number, number, number];
}

/** An agent by the tables: values are texts, as events take them. */
export interface AgentNow {
  model: string;
  guide: string;
  route: { goal: string; wait: number }[];
  links: Link[];
  params: Record<string, string>;
  people: Record<string, string> | null;
}

/** What the engine draws by itself: entries of 7 (lines), 8 (discs) and 10 numbers (triangles), each with its part. */
export interface Drawn {
  lines: Float32Array;
  discs: Float32Array;
  triangles: Float32Array;
}

/** What there is in a run now. */
export interface About {
  name: string;
  description: string;
  dt: number;
  duration: number;
  seed: number;
  mesh: boolean;
  goals: Goal[];
  guides: Guide[];
  groups: Group[];
  sources: { name: string; id: number; shape: Shape }[];
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
  /** Whose it is. */
  agent: number;
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
