/* panel/curves.ts - numbers of the crowd that run along: how many walk, how fast, how densely.
 *
 * One entry for each step that has been shown, in the order of time; going back and on again replaces entries. The
 * plot is drawn by uPlot, which takes some hundredths of a second at most, so only while it is seen.
 */
import uPlot from 'uplot';
import type { Frame } from '../engine/types';
import { DELAYED } from '../view/colours';
import { byId } from './bar';

const WALKING = 1;

export interface Moment {
  time: number;
  walking: number;
  inside: number;
  speed: number;
  density: number;
}

/** What a frame says of the whole crowd: means over those who are in the world. */
export function momentOf(frame: Frame): Moment {
  let [walking, inside, speed, density] = [0, 0, 0, 0];
  for (let i = 0; i < frame.count; i++) {
    if (frame.state[i] === DELAYED) continue;
    inside++;
    density += frame.density[i]!;
    if (frame.state[i] !== WALKING) continue;
    walking++;
    speed += Math.hypot(frame.velocity[3 * i]!, frame.velocity[3 * i + 1]!, frame.velocity[3 * i + 2]!);
  }
  return { time: frame.time, walking, inside, speed: speed / (walking || 1), density: density / (inside || 1) };
}

/** Puts a moment where its time belongs. */
export function keep(moments: Moment[], moment: Moment): void {
  let at = moments.length;
  while (at > 0 && moments[at - 1]!.time > moment.time - 1e-9) at--;
  const same = moments[at] && Math.abs(moments[at]!.time - moment.time) < 1e-9;
  moments.splice(at, same ? 1 : 0, moment);
}

const LINES: { label: string; stroke: string; scale: string; of: (moment: Moment) => number }[] = [
  { label: 'in the world', stroke: '#999999', scale: 'n', of: ({ inside }) => inside },
  { label: 'walking', stroke: '#e69f00', scale: 'n', of: ({ walking }) => walking },
  { label: 'mean speed, m/s', stroke: '#56b4e9', scale: 'v', of: ({ speed }) => speed },
  { label: 'mean density, 1/m²', stroke: '#009e73', scale: 'v', of: ({ density }) => density },
];

export class Curves {
  readonly moments: Moment[] = [];
  private readonly root = byId('curves');
  private plot: uPlot | null = null;

  set visible(on: boolean) {
    this.root.hidden = !on;
    if (on) this.draw();
  }

  clear(): void {
    this.moments.length = 0;
  }

  add(frame: Frame): void {
    keep(this.moments, momentOf(frame));
    if (!this.root.hidden) this.draw();
  }

  /* As CSV: one line for each moment. */
  text(): string {
    const head = ['time', 'in_the_world', 'walking', 'mean_speed', 'mean_density'].join(',');
    const lines = this.moments.map(({ time, inside, walking, speed, density }) =>
      [time.toFixed(3), inside, walking, speed.toFixed(4), density.toFixed(4)].join(','),
    );
    return [head, ...lines, ''].join('\n');
  }

  private draw(): void {
    const data = [this.moments.map(({ time }) => time), ...LINES.map(({ of }) => this.moments.map(of))];
    if (!this.plot) this.plot = this.make();
    this.plot.setData(data as uPlot.AlignedData);
  }

  private make(): uPlot {
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--soft');
    const axis = { stroke: ink, grid: { stroke: '#80808040', width: 1 }, ticks: { show: false }, size: 34 };
    const series = LINES.map(({ label, stroke, scale }) => ({ label, stroke, scale, width: 2 }));
    return new uPlot(
      {
        width: Math.min(400, innerWidth - 40),
        height: 170,
        scales: {
          x: { time: false },
          n: { range: (_, __, most) => [0, Math.max(most, 1)] },
          v: { range: (_, __, most) => [0, Math.max(most, 0.5)] },
        },
        axes: [
          { ...axis, size: 26 },
          { ...axis, scale: 'n' },
          { ...axis, scale: 'v', side: 1, grid: { show: false } },
        ],
        series: [{ label: 'time, s' }, ...series],
        cursor: { drag: { x: false, y: false } },
      },
      [[], [], [], [], []],
      this.root,
    );
  }
}
