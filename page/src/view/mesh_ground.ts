/* view/mesh_ground.ts - mesh ground: faces in the colours of their kind, walls that stand on their edges, cuts.
 *
 * Normals are smooth but over sharp edges (buildings), where each face keeps its own. A building is looked into by two
 * planes: what lies above the floor that is shown, and below it, is cut off, people included.
 */
import { BufferAttribute, BufferGeometry, Group, Mesh, MeshLambertMaterial, DoubleSide, Plane, Vector3 } from 'three';
import type { MeshGround } from '../engine/types';
import { solidMaterial, type Palette } from './palette';

export interface Level {
  number: number;
  z: number;
}

/** The floors of a building, lowest first, with the mean height of their faces; none on other meshes. */
export function levelsOf(ground: MeshGround): Level[] {
  const sum = new Map<number, { z: number; n: number }>();
  for (let f = 0; f < ground.levels.length; f++) {
    const number = ground.levels[f]!;
    if (number === 0) continue;
    const entry = sum.get(number) ?? { z: 0, n: 0 };
    for (let k = 0; k < 3; k++) entry.z += ground.vertices[3 * ground.corners[3 * f + k]! + 2]! / 3;
    entry.n++;
    sum.set(number, entry);
  }
  return [...sum].map(([number, { z, n }]) => ({ number, z: z / n })).sort((a, b) => a.z - b.z);
}

/** The unit normal of each face. */
export function faceNormals(ground: MeshGround): Float32Array {
  const out = new Float32Array(ground.corners.length);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let f = 0; f < ground.corners.length / 3; f++) {
    [a, b, c].forEach((v, k) => v.fromArray(ground.vertices, 3 * ground.corners[3 * f + k]!));
    b.sub(a)
      .cross(c.sub(a))
      .normalize()
      .toArray(out, 3 * f);
  }
  return out;
}

/* Of each corner: the sum of the normals around its vertex that differ from its face's own by less than 40 degrees. */
function cornerNormals(ground: MeshGround, face: Float32Array): Float32Array {
  const around: number[][] = Array.from({ length: ground.vertices.length / 3 }, () => []);
  ground.corners.forEach((vertex, corner) => around[vertex]!.push(Math.floor(corner / 3)));
  const out = new Float32Array(3 * ground.corners.length);
  const [own, other, sum] = [new Vector3(), new Vector3(), new Vector3()];
  ground.corners.forEach((vertex, corner) => {
    own.fromArray(face, 3 * Math.floor(corner / 3));
    sum.set(0, 0, 0);
    for (const f of around[vertex]!) if (other.fromArray(face, 3 * f).dot(own) > 0.77) sum.add(other);
    sum.normalize().toArray(out, 3 * corner);
  });
  return out;
}

function faceGeometry(ground: MeshGround, face: Float32Array): BufferGeometry {
  const position = new Float32Array(3 * ground.corners.length);
  ground.corners.forEach((vertex, corner) =>
    position.set(ground.vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * corner),
  );
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('normal', new BufferAttribute(cornerNormals(ground, face), 3));
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(position.length), 3));
  return geometry;
}

/* Quads over the half-edges of walls, upwards along the normals of their faces. */
function wallGeometry(ground: MeshGround, face: Float32Array, height: number): BufferGeometry {
  const position = new Float32Array(18 * ground.wallHalves.length);
  const [a, b, up] = [new Vector3(), new Vector3(), new Vector3()];
  ground.wallHalves.forEach((half, i) => {
    const f = Math.floor(half / 3);
    a.fromArray(ground.vertices, 3 * ground.corners[half]!);
    b.fromArray(ground.vertices, 3 * ground.corners[3 * f + ((half + 1) % 3)]!);
    up.fromArray(face, 3 * f).multiplyScalar(height);
    const [c, d] = [b.clone().add(up), a.clone().add(up)];
    [a, b, c, a, c, d].forEach((v, k) => v.toArray(position, 18 * i + 3 * k));
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.computeVertexNormals();
  return geometry;
}

export class MeshView {
  readonly group = new Group();
  readonly levels: Level[];
  private readonly faces: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly walls: Mesh;
  private readonly normals: Float32Array;

  constructor(
    private readonly ground: MeshGround,
    height: number,
  ) {
    this.normals = faceNormals(ground);
    this.levels = levelsOf(ground);
    const material = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide });
    this.faces = new Mesh(faceGeometry(ground, this.normals), material);
    material.polygonOffset = true;
    material.polygonOffsetFactor = material.polygonOffsetUnits = 1;
    this.walls = new Mesh(new BufferGeometry(), solidMaterial());
    this.group.add(this.faces, this.walls);
    this.setHeight(height);
  }

  setHeight(height: number): void {
    this.walls.geometry.dispose();
    this.walls.geometry = wallGeometry(this.ground, this.normals, height);
    this.walls.visible = height > 0;
  }

  /** Planes that leave one floor and the flights to it; none: everything. */
  cuts(floor: number | null): Plane[] {
    const at = this.levels.findIndex((level) => level.number === floor);
    if (at < 0) return [];
    const next = this.levels[at + 1];
    const planes = [new Plane(new Vector3(0, 0, 1), -(this.levels[at]!.z - 0.6))];
    if (next) planes.push(new Plane(new Vector3(0, 0, -1), next.z - 0.3));
    return planes;
  }

  paint(palette: Palette): void {
    const colour = this.faces.geometry.getAttribute('color') as BufferAttribute;
    const tint = palette.floor.clone();
    for (let f = 0; f < this.ground.blocked.length; f++) {
      tint.copy(this.ground.blocked[f] ? palette.blocked : palette.floor);
      const terrain = this.ground.terrains[f]!;
      if (terrain && !this.ground.blocked[f]) tint.offsetHSL(0.09 * terrain, 0.12, 0);
      for (let k = 0; k < 3; k++) tint.toArray(colour.array, 9 * f + 3 * k);
    }
    colour.needsUpdate = true;
    (this.walls.material as MeshLambertMaterial).color.copy(palette.wall);
  }

  dispose(): void {
    this.faces.geometry.dispose();
    this.walls.geometry.dispose();
  }
}
