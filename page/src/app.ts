/* app.ts - one scene in the page: the engine's state, what is shown of it, and what keeps both in step.
 *
 * The engine runs ahead in its worker by at most one question; the clock says how far between two steps the picture is.
 * Whoever changes what is shown calls `refresh`; who changes the world goes through `client`.
 */
import { Box3, Vector3 } from 'three';
import { Client } from './engine/client';
import { EngineError } from './engine/module';
import type { About, Barrier, Deed, Frame, Ground, Trouble } from './engine/types';
import { Clock } from './play/clock';
import { Cameras } from './view/cameras';
import { agentColours, type ColourBy } from './view/colours';
import { FieldView } from './view/field';
import { FlatView } from './view/flat_ground';
import { Labels } from './view/labels';
import { Outlines, Ring, Trails, doorShapes, goalShapes, shapeCentre } from './view/marks';
import { MeshView } from './view/mesh_ground';
import { PALETTES, type Palette } from './view/palette';
import { People } from './view/people';
import { Stage } from './view/stage';
import { TraceView } from './view/traces';

const BUDGET = 40; /* [ms] of work for one question while playing */

export class App {
  readonly stage: Stage;
  readonly cameras: Cameras;
  readonly people = new People();
  readonly trails = new Trails();
  readonly ring = new Ring();
  readonly goals = new Outlines();
  readonly doors = new Outlines();
  readonly traces = new TraceView();
  readonly field = new FieldView();
  readonly labels: Labels;
  readonly clock = new Clock();
  ground: FlatView | MeshView | null = null;
  about: About | null = null;
  barriers: Barrier[] = [];
  log: Deed[] = []; /* what was done by hand */
  goal = 0; /* whose field is shown, 0: none */
  frame: Frame | null = null;
  chosen = 0; /* id of an agent, 0: nobody */
  colourBy: ColourBy = 'population';
  wallHeight = 0.5;
  floor: number | null = null;
  palette: Palette = PALETTES.dark;
  busy = false;
  onChange: () => void = () => {};
  onScene: () => void = () => {};
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
    this.labels = new Labels(labels);
    this.stage.scene.add(this.people.group, this.trails.lines, this.ring.mesh);
    this.stage.scene.add(this.goals.group, this.doors.group, this.traces.group, this.field.group);
    this.stage.onFrame = (seconds) => this.tick(seconds);
    this.stage.onDrawn = () => this.labels.place(this.stage.camera, canvas.clientWidth, canvas.clientHeight);
  }

  /* ------------------------------------------------------------------ scene */

  async load(scene: Uint8Array, seed = 0): Promise<void> {
    this.pause();
    this.about = this.frame = null;
    await this.guard(async () => {
      const { about, ground, barriers, frame } = await this.client.ask('load', { scene, seed });
      this.scene = scene;
      this.about = about;
      this.chosen = 0;
      this.clock.dt = about.dt;
      this.floor = null;
      this.goal = 0;
      this.barriers = barriers;
      this.log = [];
      this.showGround(ground);
      this.showFrame(frame, true);
      this.onTrouble(null);
      this.onScene();
      this.cameras.home(this.bounds(ground));
    });
  }

  restart(seed = 0): Promise<void> {
    return this.scene ? this.load(this.scene, seed || (this.about?.seed ?? 0)) : Promise.resolve();
  }

  private bounds(ground: Ground): Box3 {
    const box = new Box3();
    if (ground.kind === 'mesh') box.setFromArray(ground.vertices);
    else {
      const at = new Vector3();
      ground.clearance.forEach((clearance, i) => {
        if (clearance <= 0) return;
        const x = ground.x0 + (i % ground.width) * ground.cell;
        box.expandByPoint(at.set(x, ground.y0 + Math.floor(i / ground.width) * ground.cell, 0));
      });
    }
    this.stage.fit(box);
    return box;
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
    this.ring.paint(palette.chosen);
    if (this.about) {
      this.goals.show(goalShapes(this.about), palette.goal);
      const doors = this.barriers.filter(({ door, name, shape }) => door && name && shape.points.length > 0);
      this.doors.show(doorShapes(this.barriers), palette.line);
      const named = [...this.about.goals, ...doors];
      this.labels.show(named.map(({ name, shape }) => ({ text: name, at: shapeCentre(shape) })));
    }
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
    if (!this.about) return;
    await this.step(1, 1e9);
    this.clock.shown = this.clock.made;
    this.refresh();
  }

  async goTo(step: number): Promise<void> {
    if (!this.about) return;
    this.pause();
    await this.guard(async () => {
      const { frame } = await this.client.ask('goTo', { step: Math.max(0, Math.round(step)) });
      this.showFrame(frame, true);
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

  /** Makes an event of the scene language happen now; false when it was refused. */
  async act(event: object): Promise<boolean> {
    if (!this.about) return false;
    this.pause();
    let done = false;
    await this.guard(async () => {
      const { about, frame, log } = await this.client.ask('act', { event: JSON.stringify(event) });
      this.about = about;
      this.log = log;
      this.showFrame(frame, true);
      this.paint(this.palette);
      this.onTrouble(null);
      done = true;
    });
    return done;
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
    const wanted = this.chosen && this.traces.group.visible;
    this.traces.show(wanted ? (await this.client.ask('traces', { agent: this.chosen })).items : []);
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

  async choose(id: number): Promise<void> {
    this.chosen = id;
    await this.client.ask('trace', { agent: id }).catch(() => {});
    await this.showTraces();
    this.refresh();
  }

  /** The row of the chosen agent, -1 when there is none. */
  get row(): number {
    return this.chosen && this.frame ? this.frame.id.subarray(0, this.frame.count).indexOf(this.chosen) : -1;
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
    if (!frame || row < 0) {
      this.ring.show(null, new Vector3(0, 0, 1), 0);
      this.cameras.follow(null, null, null);
      return;
    }
    const vector = (from: Float32Array): Vector3 => new Vector3().fromArray(from, 3 * row);
    const at = vector(frame.previous).lerp(vector(frame.point), between);
    this.ring.show(at, vector(frame.normal), frame.radius[row]!);
    this.cameras.follow(at, vector(frame.heading), vector(frame.normal));
  }
}
