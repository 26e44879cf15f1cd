/* engine/strides.ts - the way that each agent has walked, so that legs follow the ground and do not slide.
 *
 * Each frame adds the distance from where an agent was in the frame before; steps between two frames thus count as the
 * straight line between them. By the index of ids; an index that begins again far away begins at nothing.
 */
import type { Frame } from './types';

const JUMP = 20; /* [m] farther than this nobody walks between two frames */

export class Strides {
  private walked = new Map<number, { x: number; y: number; z: number; way: number }>();

  clear(): void {
    this.walked.clear();
  }

  add(frame: Omit<Frame, 'walked'>): Frame {
    const walked = new Float32Array(frame.count);
    const next = new Map<number, { x: number; y: number; z: number; way: number }>();
    for (let i = 0; i < frame.count; i++) {
      const id = frame.id[i]!;
      const [x, y, z] = [frame.point[3 * i]!, frame.point[3 * i + 1]!, frame.point[3 * i + 2]!];
      const was = this.walked.get(id);
      const moved = was ? Math.hypot(x - was.x, y - was.y, z - was.z) : 0;
      const way = was && moved < JUMP ? was.way + moved : 0;
      walked[i] = way;
      next.set(id, { x, y, z, way });
    }
    this.walked = next;
    return { ...frame, walked };
  }
}
