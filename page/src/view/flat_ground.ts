/* view/flat_ground.ts - flat ground: a floor that is shaded by its clearance, walls with height, tops of what is solid.
 *
 * The raster of clearances is all that is needed, whatever the ground was made of (polygons, an image, a map): above 0
 * is floor, below 0 solid. Solid cells that touch the border of the raster are outside and stay empty; the others are
 * obstacles and get a roof at the height of the walls.
 */
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  Group,
  LinearFilter,
  Mesh,
  PlaneGeometry,
  RGFormat,
  ShaderMaterial,
  UnsignedByteType,
} from 'three';
import type { FlatGround } from '../engine/types';
import { solidMaterial, type Palette } from './palette';

/** 1 for solid cells that cannot be reached from the border of the raster over solid cells. */
export function insideSolid(width: number, height: number, clearance: Float32Array): Uint8Array {
  const outside = new Uint8Array(width * height);
  const stack: number[] = [];
  const visit = (cell: number): void => {
    if (outside[cell] || clearance[cell]! > 0) return;
    outside[cell] = 1;
    stack.push(cell);
  };
  for (let x = 0; x < width; x++) visit(x), visit((height - 1) * width + x);
  for (let y = 0; y < height; y++) visit(y * width), visit(y * width + width - 1);
  while (stack.length) {
    const cell = stack.pop()!;
    const x = cell % width;
    if (x > 0) visit(cell - 1);
    if (x < width - 1) visit(cell + 1);
    if (cell >= width) visit(cell - width);
    if (cell < width * (height - 1)) visit(cell + width);
  }
  return Uint8Array.from(outside, (out, cell) => (clearance[cell]! <= 0 && !out ? 1 : 0));
}

const vertex = /* glsl */ `
  varying vec2 vUv;
  varying vec2 vAt;
  void main() {
    vUv = uv;
    vec4 world = modelMatrix * vec4(position, 1.0);
    vAt = world.xy;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const fragment = /* glsl */ `
  uniform sampler2D map;
  uniform vec3 floorColour, lineColour, roofColour;
  uniform float roof, cell;
  varying vec2 vUv;
  varying vec2 vAt;
  float lines(float every) {
    vec2 p = vAt / every;
    vec2 d = abs(fract(p - 0.5) - 0.5) / fwidth(p);
    return (1.0 - min(min(d.x, d.y), 1.0)) * clamp(1.0 - 3.0 * max(fwidth(p).x, fwidth(p).y), 0.0, 1.0);
  }
  void main() {
    vec2 s = texture2D(map, vUv).rg;
    float clearance = (s.r - 0.5) * 4.0;
    if (roof > 0.5) {
      if (clearance > 0.0 || s.g < 0.5) discard;
      gl_FragColor = vec4(roofColour, 1.0);
    } else {
      if (clearance < -0.5 * cell && s.g < 0.25) discard;
      vec3 colour = floorColour * (0.86 + 0.14 * smoothstep(0.0, 0.9, clearance));
      colour = mix(colour, lineColour, 0.16 * lines(1.0) + 0.25 * lines(10.0));
      gl_FragColor = vec4(colour, 1.0);
    }
    #include <colorspace_fragment>
  }`;

function texture(ground: FlatGround): DataTexture {
  const inside = insideSolid(ground.width, ground.height, ground.clearance);
  const data = new Uint8Array(2 * ground.clearance.length);
  for (let i = 0; i < ground.clearance.length; i++) {
    data[2 * i] = Math.min(Math.max(127.5 + ground.clearance[i]! * 63.75, 0), 255);
    data[2 * i + 1] = 255 * inside[i]!;
  }
  const map = new DataTexture(data, ground.width, ground.height, RGFormat, UnsignedByteType);
  map.magFilter = map.minFilter = LinearFilter;
  map.needsUpdate = true;
  return map;
}

/** Standing quads over the segments of the walls, of height 1. */
export function wallGeometry(walls: Float32Array): BufferGeometry {
  const count = walls.length / 4;
  const position = new Float32Array(18 * count);
  const normal = new Float32Array(18 * count);
  for (let i = 0; i < count; i++) {
    const [x, y, u, v] = walls.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
    position.set([x, y, 0, u, v, 0, u, v, 1, x, y, 0, u, v, 1, x, y, 1], 18 * i);
    const length = Math.hypot(u - x, v - y) || 1;
    for (let k = 0; k < 6; k++) normal.set([(v - y) / length, (x - u) / length, 0], 18 * i + 3 * k);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('normal', new BufferAttribute(normal, 3));
  return geometry;
}

export class FlatView {
  readonly group = new Group();
  private readonly walls: Mesh;
  private readonly roof: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly floor: Mesh<PlaneGeometry, ShaderMaterial>;

  constructor(ground: FlatGround, height: number) {
    const map = texture(ground);
    const width = ground.width * ground.cell;
    const depth = ground.height * ground.cell;
    const plane = (roof: number): Mesh<PlaneGeometry, ShaderMaterial> => {
      const uniforms = {
        map: { value: map },
        roof: { value: roof },
        cell: { value: ground.cell },
        floorColour: { value: null },
        lineColour: { value: null },
        roofColour: { value: null },
      };
      const material = new ShaderMaterial({
        vertexShader: vertex,
        fragmentShader: fragment,
        uniforms,
        side: DoubleSide,
      });
      const mesh = new Mesh(new PlaneGeometry(width, depth), material);
      mesh.position.set(ground.x0 - ground.cell / 2 + width / 2, ground.y0 - ground.cell / 2 + depth / 2, 0);
      return mesh;
    };
    this.floor = plane(0);
    this.roof = plane(1);
    this.walls = new Mesh(wallGeometry(ground.walls), solidMaterial());
    this.group.add(this.floor, this.walls, this.roof);
    this.setHeight(height);
  }

  setHeight(height: number): void {
    this.walls.scale.z = Math.max(height, 0.001);
    this.roof.position.z = height;
    this.roof.visible = height > 0;
  }

  paint(palette: Palette): void {
    for (const mesh of [this.floor, this.roof]) {
      mesh.material.uniforms['floorColour']!.value = palette.floor;
      mesh.material.uniforms['lineColour']!.value = palette.line;
      mesh.material.uniforms['roofColour']!.value = palette.roof;
    }
    (this.walls.material as ReturnType<typeof solidMaterial>).color.copy(palette.wall);
  }

  dispose(): void {
    for (const mesh of [this.floor, this.roof, this.walls]) mesh.geometry.dispose();
    (this.floor.material.uniforms['map']!.value as DataTexture).dispose();
  }
}
