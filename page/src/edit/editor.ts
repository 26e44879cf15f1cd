/* edit/editor.ts - the hand: from pointer to event, for mouse, pen and finger alike.
 *
 * A tool that draws takes the main button, or one finger; the other buttons and two fingers still move the camera. On
 * flat ground a place is where the ray meets the plane, on a mesh the engine says where it meets a face, in the order in
 * which it was asked. Every change of the world is an event of the scene language (App.act), so what a person does is
 * an episode that the program can run again; the description of the scene is a text beside it.
 */
import { Plane, Raycaster, Vector3 } from 'three';
import type { App } from '../app';
import type { AgentNow, Made } from '../engine/types';
import { agentUnder, agentsInside, screenPoint } from '../view/choose';
import { removalAt } from './removal';
import { isClick, preview, type Spot } from './shapes';
import { Sketch, gripAt } from './sketch';
import { handlesOf, type Handle } from './things';
import { firstWishes, linkEvents, toolOf, type Tool } from './tools';
import { round } from './values';

const STILL = 5; /* [px] a click may move so far */
const GRIP = 12; /* [px] from a handle; fingers twice */

interface Gesture {
  pointer: number;
  x: number;
  y: number;
  moved: boolean;
  shift: boolean;
  finger: boolean;
  drawn: Promise<Spot | null>[];
  handle: Handle | null;
  agent: number /* id under the pointer when it went down */;
}

export class Editor {
  tool: Tool = toolOf('choose');
  readonly wishes = firstWishes();
  readonly sketch = new Sketch();
  /** Events that were taken back, to be made again: the last one first. */
  undone: { step: number; event: object }[] = [];
  /** After another tool was taken or something was done. */
  onChange: () => void = () => {};
  private readonly ray = new Raycaster();
  private gesture: Gesture | null = null;
  private handles: Handle[] = [];
  private pointers = 0;

  constructor(private readonly app: App) {
    const { canvas } = app.stage;
    app.stage.scene.add(this.sketch.group);
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => void this.up(event));
    canvas.addEventListener('pointercancel', () => this.cancel());
  }

  take(id: string): void {
    this.cancel();
    this.tool = toolOf(id);
    this.app.cameras.lend(this.tool.id !== 'choose' && this.tool.id !== 'move');
    void this.renew();
    this.onChange();
  }

  /** Handles where things are now. */
  async renew(): Promise<void> {
    const { app } = this;
    this.handles = [];
    if (this.tool.id === 'move') this.handles = handlesOf(app, await this.chosenNow());
    this.sketch.handles(this.handles);
    app.stage.draw();
  }

  private async chosenNow(): Promise<AgentNow | null> {
    const { chosen, client } = this.app;
    return chosen ? (await client.ask('agentNow', { agent: chosen })).agent : null;
  }

  /* ------------------------------------------------------------------ deeds */

  /** Makes events happen, one after the other; stops at one that is refused. */
  async act(events: object[]): Promise<Made | null> {
    let made: Made | null = null;
    for (const event of events) {
      made = await this.app.act(event);
      if (!made) return null;
      this.undone = [];
    }
    return made;
  }

  async undo(): Promise<void> {
    const last = this.app.log.filter(({ step }) => step <= (this.app.frame?.step ?? 0)).at(-1);
    if (!last) return;
    await this.app.undo();
    this.undone.unshift(last);
    this.onChange();
  }

  /** Makes again what was taken back last, at its step. */
  async redo(): Promise<void> {
    const next = this.undone[0];
    if (!next) return;
    const rest = this.undone.slice(1);
    if (this.app.frame?.step !== next.step) await this.app.goTo(next.step);
    if (await this.app.act(next.event)) this.undone = rest;
    this.onChange();
  }

  /** Those who are chosen leave. */
  async dismiss(): Promise<void> {
    const { chosenAll } = this.app;
    const there = chosenAll.filter((id) => this.app.rowOf(id) >= 0);
    if (there.length && (await this.act([{ leave: { agents: there } }]))) await this.app.choose(0);
  }

  /** Links from all who are chosen to one agent. */
  async link(from: number, to: number, role: string): Promise<void> {
    const had = (await this.app.client.ask('agentNow', { agent: from })).agent?.links ?? [];
    await this.act(linkEvents(from, to, role, had));
  }

  /* ------------------------------------------------------------------ places */

  private aim(event: { clientX: number; clientY: number }): void {
    const { canvas, camera } = this.app.stage;
    camera.updateMatrixWorld(); /* it may have been moved since the last picture */
    this.ray.setFromCamera(screenPoint(canvas, event.clientX, event.clientY), camera);
  }

  /** Where the ray meets the ground. */
  private async spot(event: { clientX: number; clientY: number }): Promise<Spot | null> {
    this.aim(event);
    const { origin, direction } = this.ray.ray;
    if (this.app.about?.mesh) {
      const far = { origin: origin.toArray(), direction: direction.toArray() };
      return (await this.app.client.ask('pick', far)).point;
    }
    const hit = this.ray.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), 0), new Vector3());
    return hit ? [hit.x, hit.y, 0, 0] : null;
  }

  /** The id of the agent under the pointer, 0: nobody. */
  private agentAt(event: PointerEvent): number {
    const { frame, stage } = this.app;
    if (!frame) return 0;
    this.aim(event);
    const pixel = (2 * Math.tan((stage.camera.fov * Math.PI) / 360)) / stage.canvas.clientHeight;
    const row = agentUnder(frame, this.ray.ray, pixel * (event.pointerType === 'mouse' ? 4 : 12));
    return row < 0 ? 0 : frame.id[row]!;
  }

  private handleAt(event: PointerEvent): Handle | null {
    const { canvas, camera } = this.app.stage;
    const box = canvas.getBoundingClientRect();
    const reach = event.pointerType === 'mouse' ? GRIP : 2 * GRIP;
    let [best, found] = [reach, null as Handle | null];
    for (const handle of this.handles) {
      const p = gripAt(handle).project(camera);
      const x = box.left + ((p.x + 1) * box.width) / 2;
      const y = box.top + ((1 - p.y) * box.height) / 2;
      const away = Math.hypot(x - event.clientX, y - event.clientY);
      if (Math.abs(p.z) < 1 && away < best) (best = away), (found = handle);
    }
    return found;
  }

  /* ------------------------------------------------------------------ pointer */

  private down(event: PointerEvent): void {
    this.pointers = event.isPrimary ? 1 : this.pointers + 1;
    if (this.pointers > 1) return this.cancel(); /* two fingers move the camera */
    if (event.button !== 0 || !this.app.about) return;
    const moving = this.tool.id === 'move';
    const handle = moving ? this.handleAt(event) : null;
    const agent = this.agentAt(event);
    const { clientX: x, clientY: y, pointerId: pointer, shiftKey: shift } = event;
    const finger = event.pointerType !== 'mouse';
    this.gesture = { pointer, x, y, moved: false, shift, finger, drawn: [this.spot(event)], handle, agent };
    const box = this.tool.id === 'choose' && shift;
    if (this.tool.id === 'choose' || moving) this.app.cameras.lend(box || handle !== null || (moving && agent > 0));
  }

  private move(event: PointerEvent): void {
    const { gesture } = this;
    if (!gesture || event.pointerId !== gesture.pointer) return;
    gesture.moved ||= Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y) >= STILL;
    if (!gesture.moved) return;
    if (this.tool.id === 'choose') {
      if (gesture.shift) this.sketch.frame(boxOf(gesture, event));
      return;
    }
    gesture.drawn.push(this.spot(event));
    void this.preview(gesture);
  }

  /* Shows what would come of it. */
  private async preview(gesture: Gesture): Promise<void> {
    const drawn = (await Promise.all(gesture.drawn)).filter((spot) => spot !== null);
    const last = drawn.at(-1);
    if (gesture !== this.gesture || !last) return;
    if (gesture.handle) {
      const { points, closed } = gesture.handle.seen(last);
      this.sketch.draw(points, closed);
    } else if (this.tool.forms.length && this.tool.id !== 'path') {
      const { points, closed } = preview(this.wishes.form, drawn);
      this.sketch.draw(points, closed);
    } else if (this.tool.id === 'path') this.sketch.draw(drawn);
    else if (this.tool.id === 'agents' && this.wishes.count > 1) this.sketch.draw(preview('disc', drawn).points, true);
    else this.sketch.draw([drawn[0]!, last]);
    this.app.stage.draw();
  }

  private async up(event: PointerEvent): Promise<void> {
    this.pointers = Math.max(0, this.pointers - 1);
    const { gesture } = this;
    if (!gesture || event.pointerId !== gesture.pointer) return;
    const drawn = (await Promise.all(gesture.drawn)).filter((spot) => spot !== null);
    this.clear();
    await this.finish(gesture, drawn, event);
    await this.renew();
    this.onChange();
  }

  private async finish(gesture: Gesture, drawn: Spot[], event: PointerEvent): Promise<void> {
    const { tool, app } = this;
    if (tool.id === 'choose') return this.choose(gesture, event);
    if (tool.id === 'remove') return this.remove(gesture, drawn.at(-1));
    if (tool.id === 'link') {
      const to = this.agentAt(event);
      if (gesture.agent && to && to !== gesture.agent) await this.link(gesture.agent, to, this.wishes.role);
      return;
    }
    if (!drawn.length) return;
    if (tool.id === 'move') return this.drop(gesture, drawn);
    if (tool.forms.length && tool.id !== 'goal' && isClick(drawn)) return; /* a click is no area */
    const made = await this.act(tool.events?.(app, drawn, this.wishes) ?? []);
    if (made?.agents.length && tool.id === 'agents') await app.choose(made.agents);
  }

  private async choose(gesture: Gesture, event: PointerEvent): Promise<void> {
    const { app } = this;
    const { frame, chosenAll } = app;
    if (!frame) return;
    if (gesture.moved && !gesture.shift) return; /* the camera was turned */
    if (gesture.moved) {
      const { canvas, camera } = app.stage;
      const a = screenPoint(canvas, gesture.x, gesture.y);
      const b = screenPoint(canvas, event.clientX, event.clientY);
      const [x0, x1, y0, y1] = [Math.min(a.x, b.x), Math.max(a.x, b.x), Math.min(a.y, b.y), Math.max(a.y, b.y)];
      return app.choose(agentsInside(frame, camera, x0, y0, x1, y1).map((row) => frame.id[row]!));
    }
    if (!gesture.shift) return app.choose(gesture.agent);
    const others = chosenAll.filter((id) => id !== gesture.agent);
    return app.choose(others.length < chosenAll.length || !gesture.agent ? others : [...others, gesture.agent]);
  }

  /* What is nearest under a click: an agent, else a thing with a handle. */
  private async remove(gesture: Gesture, at: Spot | undefined): Promise<void> {
    const { app } = this;
    if (gesture.agent) {
      await this.act([{ leave: { agents: [gesture.agent] } }]);
      return;
    }
    if (!at || !app.about) return;
    const event = removalAt(app, at);
    if (event) await this.act([event]);
  }

  /* A handle at its new place; or agents, all who are chosen by as much. */
  private async drop(gesture: Gesture, drawn: Spot[]): Promise<void> {
    const { app } = this;
    const [from, to] = [drawn[0]!, drawn.at(-1)!];
    if (!gesture.moved) {
      if (gesture.agent) await app.choose(gesture.agent);
      return;
    }
    if (gesture.handle) return void (await this.act([gesture.handle.event(to)]));
    if (!gesture.agent || !app.frame) return;
    const agents = app.chosenAll.includes(gesture.agent) ? app.chosenAll : [gesture.agent];
    const size = app.about?.mesh ? 3 : 2;
    const points = agents.map((id) => {
      const was = app.frame!.point.subarray(3 * app.rowOf(id));
      return [0, 1, 2].slice(0, size).map((k) => round(was[k]! + to[k]! - from[k]!));
    });
    await this.act([{ place: { agents, points } }]);
  }

  private clear(): void {
    this.gesture = null;
    this.sketch.draw([]);
    this.sketch.frame(null);
    if (this.tool.id === 'choose' || this.tool.id === 'move') this.app.cameras.lend(false);
    this.app.stage.draw();
  }

  private cancel(): void {
    this.clear();
  }
}

function boxOf(from: Gesture, to: PointerEvent): { x: number; y: number; width: number; height: number } {
  const [x, y] = [Math.min(from.x, to.clientX), Math.min(from.y, to.clientY)];
  return { x, y, width: Math.abs(to.clientX - from.x), height: Math.abs(to.clientY - from.y) };
}
