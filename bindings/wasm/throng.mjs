// throng.mjs - the engine as a class: scenes in, typed arrays and plain objects out (throng.d.ts has the types).
//
// Every array that leaves is a copy, because the engine's memory grows and then moves. The bytes of throng.wasm are handed
// to the engine: the script of emscripten could not fetch them in node.
import make from './throng_engine.mjs';

const NO_AGENTS = 0xffffffff;
const columns = [
  ['id', Uint32Array, 1],
  ['point', Float32Array, 3],
  ['previous', Float32Array, 3],
  ['velocity', Float32Array, 3],
  ['heading', Float32Array, 3],
  ['normal', Float32Array, 3],
  ['radius', Float32Array, 1],
  ['body', Float32Array, 1],
  ['speed', Float32Array, 1],
  ['height', Float32Array, 1],
  ['state', Uint8Array, 1],
  ['population', Uint32Array, 1],
  ['goal', Uint32Array, 1],
  ['model', Uint32Array, 1],
  ['group', Uint32Array, 1],
  ['density', Float32Array, 1],
];

/** What the engine refused: `where` is the place in the scene. */
export class ThrongError extends Error {
  constructor({ where, text }) {
    super(where ? `${where}: ${text}` : text);
    this.name = 'ThrongError';
    this.where = where;
  }
}

async function readBytes() {
  const url = new URL('./throng.wasm', import.meta.url);
  if (url.protocol === 'file:' && typeof process === 'object') {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  return new Uint8Array(await (await fetch(url)).arrayBuffer());
}

/** Starts an engine; `wasmBinary` are the bytes of throng.wasm, which are read from beside this file when they are not given. */
export async function start(wasmBinary) {
  const bytes = wasmBinary ?? (await readBytes());
  if (!WebAssembly.validate(bytes))
    throw new ThrongError({ where: '', text: 'expected a browser with WebAssembly and its vectors (simd128), found one without' });
  return new Throng(await make({ wasmBinary: bytes }));
}

class Throng {
  #wasm;

  constructor(wasm) {
    this.#wasm = wasm;
  }

  /** Makes a run of the text of a scene or of a pack. */
  run(scene, { seed = 0 } = {}) {
    return new Run(this.#wasm, typeof scene === 'string' ? new TextEncoder().encode(scene) : scene, seed);
  }
}

class Run {
  #wasm;
  #page;
  #scratch;

  constructor(wasm, scene, seed) {
    this.#wasm = wasm;
    this.#scratch = this.#take(64);
    const text = this.#take(scene.length + 1);
    wasm.HEAPU8.set(scene, text);
    this.#page = wasm._th_page_make(text, scene.length, seed) >>> 0;
    wasm._free(text);
    if (!this.#page) throw new ThrongError({ where: '', text: 'out of memory' });
    if (!this.#call('failed')) return;
    const trouble = JSON.parse(this.#text('error'));
    this.free();
    throw new ThrongError(trouble);
  }

  free() {
    if (this.#page) this.#wasm._th_page_free(this.#page);
    if (this.#scratch) this.#wasm._free(this.#scratch);
    this.#page = this.#scratch = 0;
  }

  #take(size) {
    const pointer = this.#wasm._malloc(size) >>> 0;
    if (!pointer) throw new ThrongError({ where: '', text: 'out of memory' });
    return pointer;
  }

  #call(name, ...values) {
    if (!this.#page) throw new ThrongError({ where: '', text: 'the run was freed' });
    return this.#wasm[`_th_page_${name}`](this.#page, ...values);
  }

  /** Doors and obstacles as they are now. */
  barriers() {
    return JSON.parse(this.#text('barriers'));
  }

  #text(name, ...values) {
    return this.#wasm.UTF8ToString(this.#call(name, ...values) >>> 0);
  }

  #array(type, pointer, count) {
    return new type(this.#wasm.HEAPU8.buffer, pointer >>> 0, count).slice();
  }

  /* A call that writes how many entries there are. */
  #counted(type, width, name, ...values) {
    const pointer = this.#call(name, ...values, this.#scratch);
    return this.#array(type, pointer, width * this.#array(Uint32Array, this.#scratch, 1)[0]);
  }

  #check(code) {
    if (code) throw new ThrongError(JSON.parse(this.#text('error')));
  }

  #floats(values) {
    new Float32Array(this.#wasm.HEAPU8.buffer, this.#scratch + 16, values.length).set(values);
    return this.#scratch + 16;
  }

  step(count = 1) {
    for (let i = 0; i < count && !this.done; i++) this.#check(this.#call('step'));
  }

  get done() {
    return this.#call('done') !== 0;
  }

  get time() {
    return this.#call('time');
  }

  get steps() {
    return this.#call('steps');
  }

  hash() {
    return this.#text('hash');
  }

  about() {
    return JSON.parse(this.#text('about'));
  }

  tables() {
    return JSON.parse(this.#text('tables'));
  }

  frame() {
    const count = this.#call('frame') >>> 0;
    if (count === NO_AGENTS) throw new ThrongError({ where: '', text: 'out of memory' });
    const frame = { step: this.steps, time: this.time, done: this.done, count };
    columns.forEach(([name, type, width], k) => {
      frame[name] = this.#array(type, this.#call('array', k), width * count);
    });
    return frame;
  }

  events() {
    const rows = this.#counted(Uint32Array, 4, 'events');
    const list = [];
    for (let i = 0; i < rows.length; i += 4)
      list.push({ kind: rows[i], agent: rows[i + 1], goal: rows[i + 2], source: rows[i + 3] });
    return list;
  }

  do(event) {
    const bytes = new TextEncoder().encode(typeof event === 'string' ? event : JSON.stringify(event));
    const text = this.#take(bytes.length + 1);
    this.#wasm.HEAPU8.set(bytes, text);
    this.#wasm.HEAPU8[text + bytes.length] = 0;
    const code = this.#call('do', text);
    this.#wasm._free(text);
    this.#check(code);
    return JSON.parse(this.#text('answer'));
  }

  log() {
    return JSON.parse(this.#text('log'));
  }

  goTo(step) {
    this.#check(this.#call('go_to', step));
  }

  agentText(agent) {
    return this.#text('agent_text', agent);
  }

  nearest(point, reach) {
    return this.#call('nearest', this.#floats(point), reach) >>> 0;
  }

  pick(origin, direction) {
    const ray = this.#floats([...origin, ...direction]);
    return this.#call('pick', ray, this.#scratch) ? this.#array(Float32Array, this.#scratch, 3) : null;
  }

  field(goal, radius = 0.2) {
    const rows = this.#counted(Float32Array, 6, 'field', goal, radius);
    return rows.length ? rows : null;
  }

  path(from, goal, radius = 0.2) {
    return this.#counted(Float32Array, 3, 'path', this.#floats(from), goal, radius);
  }

  draw(parts = 1023) {
    this.#check(this.#call('draw', parts));
    const [lines, discs, triangles] = [7, 8, 10].map((width, k) => this.#counted(Float32Array, width, 'list', k));
    return { lines, discs, triangles, labels: JSON.parse(this.#text('labels')) };
  }

  trace(agent) {
    this.#check(this.#call('trace', agent));
  }

  traces(agent) {
    return JSON.parse(this.#text('traces', agent));
  }

  ground() {
    const version = this.#call('ground_version') >>> 0;
    const vertices = this.#counted(Float64Array, 3, 'vertices');
    if (vertices.length) return { kind: 'mesh', version, vertices, ...this.#faces() };
    const walls = this.#counted(Float32Array, 4, 'walls');
    const sample = this.#call('raster', this.#scratch, this.#scratch + 16);
    const [width, height] = this.#array(Uint32Array, this.#scratch, 2);
    const [x0, y0, cell] = this.#array(Float32Array, this.#scratch + 16, 3);
    return { kind: 'flat', version, walls, width, height, x0, y0, cell, clearance: this.#array(Float32Array, sample, width * height) };
  }

  #faces() {
    const corners = this.#counted(Uint32Array, 3, 'corners');
    const length = corners.length / 3;
    return {
      corners,
      blocked: this.#array(Uint8Array, this.#call('blocked'), length),
      wallHalves: this.#counted(Uint32Array, 1, 'wall_halves'),
      levels: Int32Array.from({ length }, (_, f) => this.#call('level', f)),
      terrains: Uint32Array.from({ length }, (_, f) => this.#call('terrain', f)),
    };
  }
}
