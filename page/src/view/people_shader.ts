/* view/people_shader.ts - one shader for figures, discs and shadows: places each body between two steps.
 *
 * Per agent come its place before and after the step, its heading before and after, the ground's normal, its sizes and
 * the phase of its stride; `between` in [0, 1] says how far the time has come. So a frame of the screen costs one
 * number, and arrays travel to the graphics once a step. Legs swing about the hip by the sine of the phase, arms
 * against them, the trunk rises twice in a stride. Light: one sun and the sky, as on the ground.
 */
import { Color, ShaderMaterial, Vector3 } from 'three';
import { HIP, SHOULDER } from './figure';

const vertex = /* glsl */ `
  attribute float part, shade;
  attribute vec3 from, to, turnFrom, turnTo, up, size, colour;
  attribute vec3 stride; // phase before and after, swing
  uniform float between, mode;
  varying vec3 vColour, vNormal;
  varying float vShade;
  #include <clipping_planes_pars_vertex>

  vec3 swing(vec3 p, float pivot, float angle) {
    p.z -= pivot;
    return vec3(p.x * cos(angle) + p.z * sin(angle), p.y, p.z * cos(angle) - p.x * sin(angle) + pivot);
  }

  void main() {
    float phase = mix(stride.x, stride.y, between);
    vec3 p = position, n = normal;
    if (mode < 0.5) {
      float s = sin(phase) * stride.z;
      if (part > 2.5) p = swing(p, ${SHOULDER.toFixed(2)}, part > 3.5 ? -0.7 * s : 0.7 * s);
      else if (part > 0.5) p = swing(p, ${HIP.toFixed(2)}, part > 1.5 ? s : -s);
      p.z += 0.012 * stride.z * cos(2.0 * phase);
      p *= vec3(size.x, size.y, size.x);
      n /= vec3(size.x, size.y, size.x);
    } else if (mode < 1.5) {
      p *= vec3(size.z, size.z, 0.25);
    } else {
      p *= vec3(1.5 * size.z, 1.5 * size.z, 1.0);
    }
    vec3 z = normalize(up);
    vec3 x = mix(turnFrom, turnTo, between);
    x -= z * dot(x, z);
    x = dot(x, x) > 1e-8 ? normalize(x) : normalize(cross(vec3(0.3, 0.9, 0.1), z));
    vec3 y = cross(z, x);
    vec3 transformed = mix(from, to, between) + x * p.x + y * p.y + z * p.z;
    vNormal = normalize(x * n.x + y * n.y + z * n.z);
    vColour = colour;
    vShade = shade;
    vec4 mvPosition = modelViewMatrix * vec4(transformed, 1.0);
    gl_Position = projectionMatrix * mvPosition;
    #include <clipping_planes_vertex>
  }`;

const fragment = /* glsl */ `
  uniform vec3 sun;
  uniform float mode;
  varying vec3 vColour, vNormal;
  varying float vShade;
  #include <clipping_planes_pars_fragment>

  void main() {
    #include <clipping_planes_fragment>
    if (mode > 1.5) {
      gl_FragColor = vec4(0.0, 0.0, 0.0, 0.34 * vShade);
      return;
    }
    vec3 skin = vec3(0.80, 0.62, 0.48);
    vec3 base = vShade > 1.5 ? (mode < 0.5 ? skin : vColour * 0.45) : vColour * vShade;
    vec3 n = normalize(vNormal);
    float light = 0.55 + 0.2 * n.z + 0.45 * max(dot(n, sun), 0.0);
    gl_FragColor = vec4(base * light, 1.0);
    #include <colorspace_fragment>
  }`;

export const SUN = new Vector3(0.45, -0.35, 0.85).normalize();

/** mode 0: figures, 1: discs, 2: shadows. */
export function peopleMaterial(mode: number): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms: { between: { value: 1 }, mode: { value: mode }, sun: { value: SUN }, tint: { value: new Color() } },
    clipping: true,
    transparent: mode === 2,
    depthWrite: mode !== 2,
    polygonOffset: mode === 2,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  });
}
