/* app.ts - one scene in the page: the engine's state, what is shown of it, and what keeps both in step.
 *
 * The engine runs ahead in its worker by at most one question; the clock says how far between two steps the picture is.
 * Whoever changes what is shown calls `refresh`; who changes the world goes through `client`.
 */
import { Vector3 } from 'three';
import { Client } from './engine/client';
import { EngineError } from './engine/module';
import {
  NO_INDEX,
  type About,
  type Barrier,
  type Deed,
  type Frame,
  type Ground,
  type Made,
  type Schema,
  type Tables,
  type Trouble,
} from './engine/types';
import { Clock } from './play/clock';
import { Cameras } from './view/cameras';
import { agentColours, type ColourBy } from './view/colours';
import { FieldView } from './view/field';
import { FlatView } from './view/flat_ground';
import { Rings, Trails } from './view/marks';
import { MeshView } from './view/mesh_ground';
import { Overlays } from './view/overlays';
import { PALETTES, type Palette } from './view/palette';
import { People } from './view/people';
import { Stage } from './view/stage';
import { Things, boundsOf } from './view/things';
import { TraceView } from './view/traces';

const MOST_TRACED = 200; /* whose traces are drawn at once */
const BUDGET = 40; /* [ms] of work for one question while playing */

export class App {
  readonly stage: Stage;
  readonly cameras: Cameras;
  readonly people = new People();
  readonly trails = new Trails();
  readonly rings = new Rings();
  readonly overlays: Overlays;
  readonly traces = new TraceView();
  readonly field = new FieldView();
  readonly things: Things;
  readonly clock = new Clock();
  ground: FlatView | MeshView | null = null;
  about: About | null = null;
  barriers: Barrier[] = [];
  log: Deed[] = []; /* what was done by hand */
  goal = 0; /* whose field is shown, 0: none */
  frame: Frame | null = null;
  chosen = 0; /* id of an agent, 0: nobody */
  chosenAll: number[] = []; /* ids of all that are chosen; `chosen` is the first */
  tables: Tables | null = null;
  schema: Schema | null = null;
  description: string | null = null; /* that somebody wrote; null: the scene's */
  colourBy: ColourBy = 'population';
  wallHeight = 0.5;
  floor: number | null = null;
  palette: Palette = PALETTES.dark;
  busy = false;
  onChange: () => void = () => {};
  onScene: () => void = () => {};
  /** After something was done by hand or taken back, or others were chosen. */
  onDeed: () => void = () => {};
  onFrame: (frame: Frame) => void = () => {};
  onTrouble: (trouble: Trouble | null) => void = () => {};
  private next: Frame | null = null; /* ready, but not yet due */
  private scene: Uint8Array | null = null;
  private colours = new Float32Array();
  private shape: Ground | null = null;

  constructor(
    readonly client: Client,
    canvas: HTMLCanvasElement,
    labels: HTMLElement,
  ) {
    this.stage = new Stage(canvas);
    this.cameras = new Cameras(this.stage.camera, canvas, () => this.stage.draw());
    this.things = new Things(labels);
    this.overlays = new Overlays(this);
    this.stage.scene.add(this.people.group, this.trails.lines, this.rings.group, this.overlays.group);
    this.stage.scene.add(this.things.group, this.traces.group, this.field.group);
    this.stage.onFrame = (seconds) => this.tick(seconds);
    this.stage.onDrawn = () => this.things.place(this.stage.camera, canvas.clientWidth, canvas.clientHeight);
  }

  /* ------------------------------------------------------------------ scene */

  async load(scene: Uint8Array, seed = 0): Promise<void> {
    this.pause();
    await this.rest();
    this.about = this.frame = null;
    await this.guard(async () => {
      const { about, ground, barriers, frame } = await this.client.ask('load', { scene, seed });
      if (!this.tables) ({ tables: this.tables, schema: this.schema } = await this.client.ask('tables', {}));
      this.scene = scene;
      this.about = about;
      this.description = null;
      this.overlays.forget();
      this.chosen = 0;
      this.chosenAll = [];
      this.clock.dt = about.dt;
      this.floor = null;
      this.goal = 0;
      this.barriers = barriers;
      this.log = [];
      this.showGround(ground);
      this.showFrame(frame, true);
      this.onTrouble(null);
      this.onScene();
      const box = boundsOf(ground);
      this.stage.fit(box);
      this.cameras.home(box);
    });
  }

  restart(seed = 0): Promise<void> {
    return this.scene ? this.load(this.scene, seed || (this.about?.seed ?? 0)) : Promise.resolve();
  }

  private showGround(ground: Ground): void {
    if (this.ground) {
      this.stage.scene.remove(this.ground.group);
      this.ground.dispose();
    }
    this.shape = ground;
    this.field.show(ground, null);
    this.ground =
      ground.kind === 'mesh' ? new MeshView(ground, this.wallHeight) : new FlatView(ground, this.wallHeight);
    this.stage.scene.add(this.ground.group);
    this.paint(this.palette);
  }

  paint(palette: Palette): void {
    this.palette = palette;
    this.stage.scene.background = palette.background;
    this.ground?.paint(palette);
    this.rings.paint(palette.chosen);
    if (this.about) this.things.show(this.about, this.barriers, palette);
    this.stage.draw();
  }

  /* ------------------------------------------------------------------ time */

  play(): void {
    if (!this.about || this.frame?.done) return;
    this.clock.playing = true;
    this.stage.draw();
    this.onChange();
  }

  pause(): void {
    this.clock.playing = false;
    this.turn();
    this.clock.shown = this.clock.made;
    this.refresh();
  }

  /** One step by hand. */
  async forward(): Promise<void> {
    this.pause();
    await this.rest();
    if (!this.about) return;
    await this.step(1, 1e9);
    this.clock.shown = this.clock.made;
    this.refresh();
  }

  async goTo(step: number): Promise<void> {
    if (!this.about) return;
    this.pause();
    await this.rest();
    await this.guard(async () => {
      this.take(await this.client.ask('goTo', { step: Math.max(0, Math.round(step)) }));
    });
  }

  private async step(count: number, budget: number): Promise<void> {
    await this.guard(async () => {
      const { frame } = await this.client.ask('step', { count, budget });
      this.next = frame;
      this.clock.ready = frame.step;
      if (!this.clock.playing) this.turn();
      else this.stage.draw();
    });
  }

  /* Shows the frame that is ready. */
  private turn(): void {
    const frame = this.next;
    this.next = null;
    if (!frame) return;
    this.clock.turn();
    this.showFrame(frame, false);
  }

  private tick(seconds: number): boolean {
    const wanted = this.clock.pass(seconds);
    if (this.clock.due) this.turn();
    if (wanted > 0 && !this.busy && !this.next) void this.step(wanted, BUDGET);
    if (this.frame?.done && !this.next && this.clock.shown >= this.clock.made) this.pause();
    this.place();
    return this.clock.playing;
  }

  /* One question at a time changes the world; errors are shown, never thrown. */
  private async guard(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await work();
    } catch (error) {
      this.clock.playing = false;
      const trouble = error instanceof EngineError ? error.trouble : { where: '', text: String(error) };
      this.onTrouble(trouble);
    } finally {
      this.busy = false;
      this.onChange();
    }
  }

  /** Makes an event of the scene language happen now; null when it was refused. */
  async act(event: object): Promise<Made | null> {
    if (!this.about) return null;
    this.pause();
    await this.rest();
    let done: Made | null = null;
    await this.guard(async () => {
      const answer = await this.client.ask('act', { event: JSON.stringify(event) });
      done = answer.made;
      this.take(answer);
      this.onTrouble(null);
    });
    if (done) this.onDeed();
    return done;
  }

  /** Takes back what was done last, going back to its moment. */
  async undo(): Promise<void> {
    this.pause();
    await this.rest();
    await this.guard(async () => this.take(await this.client.ask('undo', {})));
    this.onDeed();
  }

  /** The scene that was opened. */
  get opened(): Uint8Array {
    return this.scene ?? new Uint8Array();
  }

  /** The run as text: its scene with what was done by hand. */
  async episode(): Promise<string> {
    return (await this.client.ask('episode', {})).text;
  }

  /** Where everybody was at every step until now, as CSV. */
  async trajectories(): Promise<string> {
    return (await this.client.ask('trajectories', {})).text;
  }

  /* Until the question that is being answered has its answer. */
  private async rest(): Promise<void> {
    while (this.busy) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /* What there is now may be something else than before. */
  private take({ about, frame, log }: { about: About; frame: Frame; log: Deed[] }): void {
    this.about = { ...about, description: this.description ?? about.description };
    this.log = log;
    this.overlays.forget();
    this.clock.dt = about.dt;
    this.showFrame(frame, true);
    this.paint(this.palette);
  }

  /** Ends what the engine is computing; the scene begins again. */
  async stop(): Promise<void> {
    await this.client.start();
    this.busy = false;
    await this.restart();
  }

  /* ------------------------------------------------------------------ picture */

  private showFrame(frame: Frame, jump: boolean): void {
    this.frame = frame;
    if (jump) {
      this.trails.clear();
      this.next = null;
    }
    this.colours = agentColours(frame, this.colourBy);
    this.people.show(frame, this.colours, jump);
    this.trails.add(frame, this.colours);
    if (jump) this.clock.set(frame.step);
    if (frame.groundVersion !== this.shape?.version) void this.renewGround();
    void this.showTraces();
    this.onFrame(frame);
    this.refresh();
  }

  private async renewGround(): Promise<void> {
    if (this.shape) this.shape.version = this.frame?.groundVersion ?? 0; /* asked for once */
    const { ground, barriers } = await this.client.ask('ground', {});
    this.barriers = barriers;
    this.showGround(ground);
    await this.showField(this.goal);
  }

  private async showTraces(): Promise<void> {
    const ids = this.overlays.all ? Array.from(this.frame?.id ?? []) : this.chosenAll;
    const wanted = this.traces.group.visible && ids.length > 0;
    this.traces.show(wanted ? (await this.client.ask('traces', { agents: ids.slice(0, MOST_TRACED) })).items : []);
    await this.overlays.renew();
    this.stage.draw();
    this.onChange();
  }

  /** Draws the field to a goal, by the index of its id; 0: none. */
  async showField(goal: number): Promise<void> {
    this.goal = goal;
    const radius = this.row >= 0 ? this.frame!.radius[this.row]! : 0.2;
    const samples = goal ? (await this.client.ask('field', { goal, radius })).samples : null;
    if (this.shape) this.field.show(this.shape, samples);
    this.refresh();
  }

  setColourBy(by: ColourBy): void {
    this.colourBy = by;
    if (this.frame) this.people.recolour(agentColours(this.frame, by));
    this.refresh();
  }

  setWallHeight(height: number): void {
    this.wallHeight = height;
    this.ground?.setHeight(height);
    this.refresh();
  }

  setFloor(floor: number | null): void {
    this.floor = floor;
    this.stage.cuts = this.ground instanceof MeshView ? this.ground.cuts(floor) : [];
    this.refresh();
  }

  /** Chooses an agent, or several; 0 or none: nobody. */
  async choose(ids: number | number[]): Promise<void> {
    this.chosenAll = (Array.isArray(ids) ? [...new Set(ids)] : [ids]).filter((id) => id > 0);
    this.chosen = this.chosenAll[0] ?? 0;
    await this.retrace();
    this.onDeed();
    this.refresh();
  }

  /** Asks for the traces of those who are chosen, or of all. */
  async retrace(): Promise<void> {
    const several = this.overlays.all || this.chosenAll.length > 1;
    await this.client.ask('trace', { agent: several ? NO_INDEX : this.chosen }).catch(() => {});
    await this.showTraces();
  }

  /** The row of the chosen agent, -1 when there is none. */
  get row(): number {
    return this.rowOf(this.chosen);
  }

  rowOf(id: number): number {
    return id && this.frame ? this.frame.id.subarray(0, this.frame.count).indexOf(id) : -1;
  }

  refresh(): void {
    this.place();
    this.stage.draw();
    this.onChange();
  }

  /* Puts everything where it is at the time that is shown. */
  private place(): void {
    const { frame, row } = this;
    const between = this.clock.between;
    this.people.between = between;
    this.rings.show(frame, frame ? this.chosenAll.map((id) => this.rowOf(id)) : [], between);
    if (!frame || row < 0) return this.cameras.follow(null, null, null);
    const vector = (from: Float32Array): Vector3 => new Vector3().fromArray(from, 3 * row);
    const at = vector(frame.previous).lerp(vector(frame.point), between);
    this.cameras.follow(at, vector(frame.heading), vector(frame.normal));
  }
}
