/* view/traces.ts - what a decision was made of: the traces of the chosen agent, drawn by their kind alone.
 *
 * Vectors are arrows of one metre for a unit, points dots, segments lines, half-planes lines with strokes on the side
 * that they forbid, rasters a sheet of coloured cells. Names and colours come from the engine's tables; a model that
 * publishes something new needs nothing here.
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
  Vector3,
} from 'three';
import { TRACE_LINE, TRACE_POINT, TRACE_RASTER, TRACE_SEGMENT, TRACE_VECTOR, type TraceItem } from '../engine/types';
import { kindColour, rampColour } from './colours';

const LIFT = 0.1; /* [m] */
const vector = (v: [number, number, number]): Vector3 => new Vector3(...v);

/** The colour of an agent among many: hues by the golden angle. */
export const agentColour = (id: number): Color => new Color().setHSL((id * 0.381966) % 1, 0.72, 0.56);

const OF_AGENT = 0x1000000; /* TH_TRACE_OF_AGENT: what belongs to an agent has its colour */

/** The colour of an item: that of its table or its agent, or one by its place among all names. */
export function traceColour(item: TraceItem, names: string[]): Color {
  if (item.colour === OF_AGENT) return agentColour(item.agent);
  const ours = item.colour & 0xffffff;
  return ours && item.colour < 0x1000000 ? new Color(ours) : new Color(...kindColour(names.indexOf(item.name)));
}

/* Pairs of points of the lines that stand for an item. */
function strokes(item: TraceItem, up: Vector3): Vector3[] {
  const at = vector(item.at);
  const a = vector(item.a);
  const b = vector(item.b);
  if (item.type === TRACE_SEGMENT) return [a, b];
  if (item.type === TRACE_VECTOR) {
    const side = new Vector3().crossVectors(up, a).setLength(Math.min(0.12, 0.3 * a.length()));
    const tip = at.clone().add(a);
    const neck = at.clone().addScaledVector(a, Math.max(0.6, 1 - 0.25 / Math.max(a.length(), 0.01)));
    return [at, tip, tip, neck.clone().add(side), tip, neck.clone().sub(side)];
  }
  if (item.type === TRACE_POINT) {
    const x = new Vector3(0.12, 0, 0);
    const y = new Vector3(0, 0.12, 0);
    return [a.clone().sub(x), a.clone().add(x), a.clone().sub(y), a.clone().add(y)];
  }
  if (item.type === TRACE_LINE) {
    const from = at.clone().add(a);
    const right = new Vector3().crossVectors(b, up).multiplyScalar(0.18);
    const out = [from.clone().addScaledVector(b, -2), from.clone().addScaledVector(b, 2)];
    for (let k = -2; k <= 2; k++) {
      const foot = from.clone().addScaledVector(b, 0.8 * k);
      out.push(foot, foot.clone().add(right));
    }
    return out;
  }
  return [];
}

/* The cells of a raster as two triangles each, coloured from its least to its greatest value. */
function sheet(item: TraceItem): BufferGeometry {
  const values = item.raster ?? [];
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const span = Math.max(...known) - low || 1;
  const [origin, across, down] = [vector(item.a), vector(item.b), vector(item.c)];
  const position: number[] = [];
  const colour: number[] = [];
  const corner = (i: number, j: number): number[] =>
    origin.clone().addScaledVector(across, i).addScaledVector(down, j).toArray();
  values.forEach((value, cell) => {
    if (value === null) return;
    const [i, j] = [(cell % item.columns) - 0.5, Math.floor(cell / item.columns) - 0.5];
    const corners = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
    for (const k of [0, 1, 2, 0, 2, 3]) position.push(...corners[k]!), colour.push(...rampColour((value - low) / span));
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(colour), 3));
  return geometry;
}

export class TraceView {
  readonly group = new Group();
  /** Names that are not drawn. */
  readonly hidden = new Set<string>();
  items: TraceItem[] = [];
  up = new Vector3(0, 0, 1);
  private readonly lines = new LineBasicMaterial({ vertexColors: true, depthTest: false });
  private readonly sheets = new MeshBasicMaterial({
    vertexColors: true,
    transparent: true,
    opacity: 0.55,
    side: DoubleSide,
    depthWrite: false,
  });

  constructor() {
    this.group.visible = false;
    this.group.renderOrder = 4;
  }

  get names(): string[] {
    return [...new Set(this.items.map((item) => item.name))];
  }

  show(items: TraceItem[]): void {
    this.items = items;
    for (const child of this.group.children) (child as Mesh).geometry.dispose();
    this.group.clear();
    const names = this.names;
    const position: number[] = [];
    const colour: number[] = [];
    const lift = this.up.clone().multiplyScalar(LIFT);
    for (const item of items) {
      if (this.hidden.has(item.name)) continue;
      if (item.type === TRACE_RASTER && item.raster) {
        const mesh = new Mesh(sheet(item), this.sheets);
        mesh.position.copy(lift).multiplyScalar(0.6);
        this.group.add(mesh);
      }
      const ink = traceColour(item, names).toArray();
      for (const p of strokes(item, this.up)) position.push(...p.add(lift).toArray()), colour.push(...ink);
    }
    if (!position.length) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(colour), 3));
    const lines = new LineSegments(geometry, this.lines);
    lines.renderOrder = 5;
    lines.frustumCulled = false;
    this.group.add(lines);
  }
}
