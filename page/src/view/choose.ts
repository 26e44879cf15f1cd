/* view/choose.ts - which agent a click or a box on the screen means.
 *
 * Bodies are few thousands and a click is rare: all are tried. A click means the body whose axis, from foot to head,
 * passes nearest to the ray, within its own radius and some pixels.
 */
import { Ray, Vector2, Vector3, type Camera } from 'three';
import type { Frame } from '../engine/types';
import { DELAYED } from './colours';

/** From pixels of the page to -1 ... 1 of the picture. */
export function screenPoint(canvas: HTMLElement, x: number, y: number): Vector2 {
  const box = canvas.getBoundingClientRect();
  return new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
}

/** The row of the agent under a ray, -1 when there is none. `slack` [m per m of distance] is what fingers need. */
export function agentUnder(frame: Frame, ray: Ray, slack: number): number {
  const [foot, head, on, near] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  let found = -1;
  let best = Infinity;
  for (let i = 0; i < frame.count; i++) {
    if (frame.state[i] === DELAYED) continue;
    foot.fromArray(frame.point, 3 * i);
    head
      .fromArray(frame.normal, 3 * i)
      .multiplyScalar(frame.height[i]!)
      .add(foot);
    const distance = Math.sqrt(Math.max(ray.distanceSqToSegment(foot, head, near, on), 0)); /* rounding: below 0 */
    const away = near.distanceTo(ray.origin);
    if (distance > frame.radius[i]! + slack * away) continue;
    const worth = away + 20 * distance;
    if (worth < best) (best = worth), (found = i);
  }
  return found;
}

/** Rows of all agents whose feet lie in a box of the screen, in coordinates from -1 to 1. */
export function agentsInside(frame: Frame, camera: Camera, x0: number, y0: number, x1: number, y1: number): number[] {
  const p = new Vector3();
  const found: number[] = [];
  for (let i = 0; i < frame.count; i++) {
    if (frame.state[i] === DELAYED) continue;
    p.fromArray(frame.point, 3 * i).project(camera);
    if (Math.abs(p.z) < 1 && p.x >= x0 && p.x <= x1 && p.y >= y0 && p.y <= y1) found.push(i);
  }
  return found;
}
