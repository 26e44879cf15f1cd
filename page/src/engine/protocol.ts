/* engine/protocol.ts - the messages between page and worker.
 *
 * The page asks, the worker answers each question once, in order, with the same number. A call that takes long (going
 * to a far step) sends progress in between. Frames are moved, never copied. The worker is stopped by ending it: the
 * page then starts another one with the same scene.
 */
import type {
  About,
  AgentNow,
  Barrier,
  Deed,
  Drawn,
  Frame,
  Ground,
  Made,
  Schema,
  Tables,
  TraceItem,
  Trouble,
} from './types';

export interface Questions {
  /** Loads the engine; bytes of the wasm. */
  start: { wasm: ArrayBuffer };
  /** Makes a run of a scene; a seed of 0 is the scene's. */
  load: { scene: Uint8Array; seed: number };
  /** Makes up to `count` steps, and stops early after `budget` milliseconds. */
  step: { count: number; budget: number };
  /** Goes to a step, forwards or back. */
  goTo: { step: number };
  ground: Record<string, never>;
  /** The field to a goal, by the index of its id, as samples of six numbers; null while it is not ready. */
  field: { goal: number; radius: number };
  /** All parameters of an agent, as lines. */
  listing: { agent: number };
  /** Makes one event of the scene language happen, as JSON. */
  act: { event: string };
  /** Takes back what was done last: the run is as it was just before that. */
  undo: Record<string, never>;
  /** Parameters and events, as panels need them. */
  tables: Record<string, never>;
  /** An agent by the tables; null when it has left. */
  agentNow: { agent: number };
  /** Points of free space with the weights of a group (index of its id; 0: none). */
  markers: { group: number };
  /** What the engine draws by itself, a sum of parts. */
  draw: { parts: number };
  /** The run as text: its scene with what was done by hand. */
  episode: Record<string, never>;
  /** Where everybody was at every step until now, as CSV. */
  trajectories: Record<string, never>;
  hash: Record<string, never>;
  /** Where a ray meets the ground. */
  pick: { origin: [number, number, number]; direction: [number, number, number] };
  /** Traces this agent from now on; 0: nobody; NO_INDEX: everybody. */
  trace: { agent: number };
  /** What these agents have published, in their order. */
  traces: { agents: number[] };
}

export interface Answers {
  start: { version: string };
  load: { about: About; ground: Ground; barriers: Barrier[]; frame: Frame };
  step: { frame: Frame; made: number };
  goTo: { about: About; frame: Frame; log: Deed[] };
  ground: { ground: Ground; barriers: Barrier[] };
  field: { samples: Float32Array | null };
  listing: { text: string };
  act: { about: About; frame: Frame; made: Made; log: Deed[] };
  undo: { about: About; frame: Frame; log: Deed[] };
  tables: { tables: Tables; schema: Schema };
  agentNow: { agent: AgentNow | null };
  markers: { markers: Float32Array | null };
  draw: Drawn;
  episode: { text: string };
  trajectories: { text: string };
  hash: { hash: string; step: number };
  /** x, y, z and the level of a building. */
  pick: { point: [number, number, number, number] | null };
  trace: Record<string, never>;
  traces: { items: TraceItem[] };
}

export type Kind = keyof Questions;

export interface Question<K extends Kind = Kind> {
  number: number;
  kind: K;
  value: Questions[K];
}

export type Reply =
  | { number: number; kind: Kind; value: unknown }
  | { number: number; trouble: Trouble }
  | { progress: number };
