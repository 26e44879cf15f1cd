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
  goTo: ({ step }) => ({ frame: goTo(step) }),
  ground: () => ({ ground: open().ground(mesh), barriers: open().barriers() }),
  field: ({ goal, radius }) => ({ samples: open().field(goal, radius) }),
  listing: ({ agent }) => ({ text: open().listing(agent) }),
  act({ event }) {
    const e = open();
    const made = e.act(event);
    return { about: e.about(), frame: frame(), made, log: e.log() };
  },
  hash: () => ({ hash: open().hash(), step: open().steps }),
  pick: ({ origin, direction }) => ({ point: open().pick(origin, direction) }),
  trace({ agent }) {
    open().trace(agent);
    return {};
  },
  traces: ({ agent }) => ({ items: open().traces(agent) }),
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
