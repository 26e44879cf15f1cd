/* engine/worker.ts - the engine in a worker of its own: answers the questions of protocol.ts.
 *
 * A classic worker, started from text (a page opened as a file has no origin to load one from). The script of
 * emscripten stands before this one and leaves `throng_engine`; it gets the bytes of the wasm, for it could not fetch
 * them. Going back is the engine's own, by snapshots that it keeps; where none reaches so far, the run is
 * made again, which gives the same bits.
 */
import { Engine, EngineError, type Wasm } from './module';
import type { Answers, Kind, Question, Questions, Reply } from './protocol';
import { Strides } from './strides';
import type { Frame } from './types';

const MOST_LINES = 4e6; /* of a CSV */

declare const throng_engine: (options: { wasmBinary: ArrayBuffer }) => Promise<Wasm>;

const scope = globalThis as unknown as {
  postMessage(message: Reply, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<Question>) => void) | null;
};

let engine: Engine | null = null;
let scene: Uint8Array = new Uint8Array();
let seed = 0;
let dt = 0.1;
let mesh = false;
const strides = new Strides();

function open(): Engine {
  if (!engine) throw new EngineError({ where: '', text: 'the engine has not been started' });
  return engine;
}

function frame(): Frame {
  return strides.add(open().frame(dt));
}

/* Makes the run again, with what was done by hand before `until`: for when no snapshot reaches back so far. */
function replay(e: Engine, until: number): void {
  const log = e.log().filter((deed) => deed.step < until);
  e.load(scene, seed);
  for (const deed of log) {
    walk(e, deed.step);
    e.act(JSON.stringify(deed.event));
  }
}

/* Hashes at the beginnings of steps in which something was done: marks of an episode. */
const marks = new Map<number, string>();

/* Remembers this moment, and forgets those that are still to come. */
function mark(e: Engine): void {
  for (const step of marks.keys()) if (step > e.steps) marks.delete(step);
  if (!e.log().some(({ step }) => step === e.steps)) marks.set(e.steps, e.hash());
}

/* The run as text, with the marks of what has been. */
function episode(e: Engine): string {
  const text = e.episode();
  const scene = JSON.parse(text) as { marks?: { step: number; hash: string }[] };
  const now = (scene.marks ?? []).map(({ step, hash }) => [step, hash] as const);
  const all = new Map([...[...marks].filter(([step]) => step <= e.steps), ...now]);
  scene.marks = [...all].sort((a, b) => a[0] - b[0]).map(([step, hash]) => ({ step, hash }));
  return `${JSON.stringify(scene, null, 1)}\n`;
}

/* Takes back what was done last; where no snapshot reaches so far, the run is made again. */
function undo(e: Engine): void {
  const log = e.log().filter((deed) => deed.step <= e.steps);
  const last = log.pop();
  if (!last) return;
  try {
    e.undo();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    replay(e, last.step);
    walk(e, last.step);
    for (const deed of log.filter(({ step }) => step === last.step)) e.act(JSON.stringify(deed.event));
  }
}

/* Steps on to a step, and tells now and then how far it is. */
function walk(e: Engine, step: number): void {
  let said = Date.now();
  const from = e.steps;
  while (e.steps < step && !e.done) {
    e.step();
    if (Date.now() - said < 100) continue;
    said = Date.now();
    scope.postMessage({ progress: (e.steps - from) / (step - from) });
  }
}

/* Through the run again until now, with a line for each agent and step: the CSV of docs/recordings.md, which the program
 * makes a recording of. */
function trajectories(e: Engine): string {
  const end = e.steps;
  const { name, seed, populations, models } = e.about();
  const quoted = (text = ''): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines: string[] = [];
  const add = (): void => {
    const { count, id, point, velocity, heading, radius, state, population, model, time } = e.frame(dt);
    for (let i = 0; i < count; i++) {
      if (state[i] === 0) continue;
      const [x, y, z] = point.subarray(3 * i, 3 * i + 3);
      const [vx, vy] = velocity.subarray(3 * i, 3 * i + 3);
      const way = Math.atan2(heading[3 * i + 1]!, heading[3 * i]!);
      const of = [state[i], quoted(populations[population[i]!]), models[model[i]! - 1] ?? ''];
      lines.push([e.steps, time, id[i], x, y, z, vx, vy, way, radius[i], ...of].join(','));
    }
  };
  goTo(0);
  add();
  while (e.steps < end && lines.length < MOST_LINES) {
    e.step();
    add();
  }
  const shown = e.steps;
  walk(e, end);
  const head = ['# throng: 1', `# fps: ${1 / dt}`, `# name: ${name.replaceAll('\n', ' ')}`, `# seed: ${seed}`];
  const columns = 'frame,time,id,x,y,z,vx,vy,heading,radius,state,population,model';
  return [...head, `# frames: 0 to ${shown}`, columns, ...lines, ''].join('\n');
}

function goTo(step: number): Frame {
  const e = open();
  if (step < e.steps) {
    try {
      e.goTo(step);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      replay(e, step);
    }
    strides.clear();
  }
  walk(e, step);
  return frame();
}

const answer: { [K in Kind]: (value: Questions[K]) => Answers[K] | Promise<Answers[K]> } = {
  async start({ wasm }) {
    engine = new Engine(await throng_engine({ wasmBinary: wasm }));
    return { version: '' };
  },
  load(value) {
    const e = open();
    e.load(value.scene, value.seed);
    scene = value.scene;
    seed = value.seed;
    strides.clear();
    marks.clear();
    const about = e.about();
    dt = about.dt;
    mesh = about.mesh;
    return { about, ground: e.ground(mesh), barriers: e.barriers(), frame: frame() };
  },
  step({ count, budget }) {
    const e = open();
    const end = performance.now() + budget;
    let made = 0;
    while (made < count && !e.done) {
      e.step();
      made++;
      if (performance.now() > end) break;
    }
    return { frame: frame(), made };
  },
  goTo({ step }) {
    const shown = goTo(step);
    return { about: open().about(), frame: shown, log: open().log() };
  },
  undo() {
    const e = open();
    undo(e);
    strides.clear();
    return { about: e.about(), frame: frame(), log: e.log() };
  },
  tables: () => ({ tables: open().tables(), schema: open().schema() }),
  agentNow: ({ agent }) => ({ agent: open().agentNow(agent) }),
  markers: ({ group }) => ({ markers: open().markers(group) }),
  draw: ({ parts }) => open().draw(parts),
  episode: () => ({ text: episode(open()) }),
  trajectories: () => ({ text: trajectories(open()) }),
  ground: () => ({ ground: open().ground(mesh), barriers: open().barriers() }),
  field: ({ goal, radius }) => ({ samples: open().field(goal, radius) }),
  listing: ({ agent }) => ({ text: open().listing(agent) }),
  act({ event }) {
    const e = open();
    mark(e);
    const made = e.act(event);
    return { about: e.about(), frame: frame(), made, log: e.log() };
  },
  hash: () => ({ hash: open().hash(), step: open().steps }),
  pick: ({ origin, direction }) => ({ point: open().pick(origin, direction) }),
  trace({ agent }) {
    open().trace(agent);
    return {};
  },
  traces: ({ agents }) => ({ items: agents.flatMap((agent) => open().traces(agent)) }),
};

/* Every typed array of an answer is moved. */
function buffers(value: unknown, found: Transferable[] = []): Transferable[] {
  if (ArrayBuffer.isView(value)) found.push(value.buffer as ArrayBuffer);
  else if (value && typeof value === 'object' && !Array.isArray(value))
    for (const member of Object.values(value)) buffers(member, found);
  return found;
}

async function reply(question: Question): Promise<void> {
  const { number, kind, value } = question;
  try {
    const said = await (answer[kind] as (value: unknown) => unknown)(value);
    scope.postMessage({ number, kind, value: said }, buffers(said));
  } catch (error) {
    const trouble =
      error instanceof EngineError ? error.trouble : { where: '', text: `the engine stopped: ${String(error)}` };
    scope.postMessage({ number, trouble });
  }
}

scope.onmessage = (event) => void reply(event.data);
