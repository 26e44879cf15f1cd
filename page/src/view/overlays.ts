/* view/overlays.ts - what the engine draws of a run beside people: parts of its own drawing, circles of parameters,
 * links to published points, markers of a group.
 *
 * Nothing here knows a model: parts, parameters and traces come from the engine's tables. Overlays are asked for again
 * after each step that is shown, for those who are chosen or for all, and cost nothing while none is on.
 */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
  Vector3,
} from 'three';
import type { App } from '../app';
import { TRACE_POINT, type AgentNow, type Drawn } from '../engine/types';
import { graphsOf } from '../edit/graphs';
import { rampColour } from './colours';
import { agentColour } from './traces';

const LIFT = 0.08; /* [m] */
const MOST_CIRCLES = 200; /* agents that are asked for their parameters */

/** Ends of the segments of a circle about `up`. */
export function circle(at: Vector3, up: Vector3, radius: number, parts = 48): Vector3[] {
  const x = new Vector3(1, 0, 0).cross(up);
  if (x.lengthSq() < 1e-6) x.set(0, 1, 0);
  x.normalize();
  const y = new Vector3().crossVectors(up, x);
  const on = (k: number): Vector3 => {
    const angle = (2 * Math.PI * k) / parts;
    return at
      .clone()
      .addScaledVector(x, radius * Math.cos(angle))
      .addScaledVector(y, radius * Math.sin(angle));
  };
  return Array.from({ length: parts }, (_, k) => [on(k), on(k + 1)]).flat();
}

/** Lines in many colours that are filled and then shown. */
class Pen {
  private readonly position: number[] = [];
  private readonly colour: number[] = [];

  lines(points: Vector3[], ink: Color): void {
    for (const p of points) this.position.push(...p.toArray()), this.colour.push(...ink.toArray());
  }

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.position), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(this.colour), 3));
    return geometry;
  }

  get empty(): boolean {
    return this.position.length === 0;
  }
}

export class Overlays {
  readonly group = new Group();
  /** For everybody, not only for those who are chosen. */
  all = false;
  /** Names of parts of the engine's drawing. */
  readonly parts = new Set<string>();
  /** A parameter whose value is the radius of a circle, as `source.name`; '': none. */
  circleOf = '';
  /** Lines from agents to the points that they have published. */
  links = false;
  /** Places of the chosen agent's parameters, with the distances of their graphs. */
  places = true;
  /** Group whose markers are shown (index of its id); -1: none, 0: markers without weights. */
  markers = -1;
  private readonly ink = new LineBasicMaterial({ vertexColors: true, depthTest: false });
  private readonly sheet = new MeshBasicMaterial({
    vertexColors: true,
    transparent: true,
    opacity: 0.4,
    side: DoubleSide,
  });
  private readonly dots = new PointsMaterial({ vertexColors: true, size: 3, sizeAttenuation: false });
  private known = new Map<number, AgentNow>();
  private asked = 0;

  constructor(private readonly app: App) {
    this.group.renderOrder = 4;
  }

  /** After something that may have changed parameters. */
  forget(): void {
    this.known.clear();
  }

  private async now(id: number): Promise<AgentNow | null> {
    const found = this.known.get(id) ?? (await this.app.client.ask('agentNow', { agent: id })).agent;
    if (found) this.known.set(id, found);
    return found;
  }

  private get wanted(): boolean {
    return this.parts.size > 0 || this.circleOf !== '' || this.links || this.markers >= 0 || this.app.chosen > 0;
  }

  /** Asks for everything that is on and shows it. */
  async renew(): Promise<void> {
    const turn = ++this.asked;
    if (!this.wanted && !this.group.children.length) return;
    const pen = new Pen();
    const children: (Mesh | Points)[] = [];
    if (this.parts.size) children.push(...(await this.drawn(pen)));
    if (this.links) this.drawLinks(pen);
    await this.drawCircles(pen);
    await this.drawPlaces(pen);
    if (this.markers >= 0) children.push(...(await this.drawMarkers()));
    if (turn !== this.asked) return; /* another one has begun */
    for (const child of this.group.children) (child as Mesh).geometry.dispose();
    this.group.clear();
    if (children.length) this.group.add(...children);
    if (pen.empty) return;
    const lines = new LineSegments(pen.geometry(), this.ink);
    lines.frustumCulled = false;
    lines.renderOrder = 5;
    this.group.add(lines);
  }

  private get bits(): number {
    const draw = this.app.tables?.draw ?? [];
    return draw.filter(({ name }) => this.parts.has(name)).reduce((sum, { part }) => sum + part, 0);
  }

  private async drawn(pen: Pen): Promise<Mesh[]> {
    const drawing: Drawn = await this.app.client.ask('draw', { parts: this.bits });
    const colour = new Map((this.app.tables?.draw ?? []).map(({ part, colour }) => [part, new Color(colour)]));
    const ink = (part: number): Color => colour.get(part) ?? new Color(0xffffff);
    const at = (from: Float32Array, i: number): Vector3 => new Vector3().fromArray(from, i);
    const { lines, discs, triangles } = drawing;
    for (let i = 0; i < lines.length; i += 7) pen.lines([at(lines, i + 1), at(lines, i + 4)], ink(lines[i]!));
    for (let i = 0; i < discs.length; i += 8)
      pen.lines(circle(at(discs, i + 1), at(discs, i + 4), discs[i + 7]!, 20), ink(discs[i]!));
    const faces = new Pen();
    for (let i = 0; i < triangles.length; i += 10)
      faces.lines(
        [1, 4, 7].map((k) => at(triangles, i + k)),
        ink(triangles[i]!),
      );
    return faces.empty ? [] : [new Mesh(faces.geometry(), this.sheet)];
  }

  private drawLinks(pen: Pen): void {
    for (const item of this.app.traces.items)
      if (item.type === TRACE_POINT && !this.app.traces.hidden.has(item.name)) {
        const up = new Vector3(0, 0, LIFT);
        pen.lines([new Vector3(...item.at).add(up), new Vector3(...item.a).add(up)], agentColour(item.agent));
      }
  }

  private ids(): number[] {
    const { frame, chosenAll } = this.app;
    return (this.all ? Array.from(frame?.id ?? []) : chosenAll).slice(0, MOST_CIRCLES);
  }

  private async drawCircles(pen: Pen): Promise<void> {
    const { frame } = this.app;
    const [source, name] = this.circleOf.split('.');
    if (!frame || !source || !name) return;
    for (const id of this.ids()) {
      const now = await this.now(id);
      const row = this.app.rowOf(id);
      const of = source === 'people' ? now?.people : now?.model === source ? now.params : null;
      const radius = Number(of?.[name]);
      if (row < 0 || !(radius > 0)) continue;
      const up = new Vector3().fromArray(frame.normal, 3 * row);
      const at = new Vector3().fromArray(frame.point, 3 * row).addScaledVector(up, LIFT);
      pen.lines(circle(at, up, radius), agentColour(id));
    }
  }

  /* Places among the parameters of the chosen agent: a cross each, and round those with a graph its distances. */
  private async drawPlaces(pen: Pen): Promise<void> {
    const { chosen, tables } = this.app;
    const now = this.places && chosen ? await this.now(chosen) : null;
    const rows = tables?.models.find(({ name }) => name === now?.model)?.params ?? [];
    const ink = this.app.palette.chosen;
    for (const { places, graphs } of graphsOf(rows, now?.params ?? {}))
      places.forEach((place, k) => {
        const at = new Vector3(...place).add(new Vector3(0, 0, LIFT));
        for (const [x, y] of [
          [0.3, 0],
          [0, 0.3],
        ] as const)
          pen.lines([at.clone().sub(new Vector3(x, y, 0)), at.clone().add(new Vector3(x, y, 0))], ink);
        for (const [distance] of graphs[k] ?? []) pen.lines(circle(at, new Vector3(0, 0, 1), distance), ink);
      });
  }

  private async drawMarkers(): Promise<Points[]> {
    const { markers } = await this.app.client.ask('markers', { group: this.markers });
    if (!markers) return [];
    const count = markers.length / 4;
    const most = markers.reduce((most, value, k) => (k % 4 === 3 ? Math.max(most, value) : most), 1);
    const geometry = new BufferGeometry();
    const position = new Float32Array(3 * count);
    const colour = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      position.set([markers[4 * i]!, markers[4 * i + 1]!, markers[4 * i + 2]! + LIFT / 2], 3 * i);
      colour.set(most > 1 ? rampColour(markers[4 * i + 3]! / most) : [0.35, 0.4, 0.45], 3 * i);
    }
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('color', new BufferAttribute(colour, 3));
    return [new Points(geometry, this.dots)];
  }
}
