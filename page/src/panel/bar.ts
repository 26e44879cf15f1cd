/* panel/bar.ts - play, pause, steps, the time line and the speed. */
import type { App } from '../app';

const ICONS = {
  play: 'M7 5v14l12-7z',
  pause: 'M7 5h4v14H7zM13 5h4v14h-4z',
  back: 'M17 5v14L8 12zM5 5h2v14H5z',
  forward: 'M7 5v14l9-7zM17 5h2v14h-2z',
  restart: 'M12 5V2L7 6l5 4V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z',
};
const NS = 'http://www.w3.org/2000/svg';

export function icon(path: string): SVGElement {
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(NS, 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}

export const byId = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T;

export class Bar {
  private readonly play = byId<HTMLButtonElement>('play');
  private readonly line = byId<HTMLInputElement>('line');
  private readonly time = byId<HTMLOutputElement>('time');
  private readonly speed = byId<HTMLSelectElement>('speed');
  private dragging = false;
  private shown = '';

  constructor(private readonly app: App) {
    for (const name of ['restart', 'back', 'forward'] as const) byId(name).replaceChildren(icon(ICONS[name]));
    byId('restart').onclick = () => void app.goTo(0);
    byId('back').onclick = () => void this.back();
    byId('forward').onclick = () => void app.forward();
    this.play.onclick = () => this.toggle();
    this.speed.onchange = () => this.setSpeed(Number(this.speed.value));
    this.line.oninput = () => {
      this.dragging = true;
      this.say(Number(this.line.value));
    };
    this.line.onchange = () => {
      this.dragging = false;
      void app.goTo(Number(this.line.value));
    };
  }

  toggle(): void {
    if (this.app.clock.playing) this.app.pause();
    else this.app.play();
  }

  async back(): Promise<void> {
    await this.app.goTo(Math.max(0, (this.app.frame?.step ?? 0) - 1));
  }

  setSpeed(speed: number): void {
    this.app.clock.speed = speed;
    this.speed.value = String(speed);
  }

  /** The next faster or slower speed of the list. */
  change(by: number): void {
    const { options, selectedIndex } = this.speed;
    const next = options[Math.min(Math.max(selectedIndex + by, 0), options.length - 1)];
    if (next) this.setSpeed(Number(next.value));
  }

  private say(step: number): void {
    const { dt, duration } = this.app.about ?? { dt: 0, duration: 0 };
    this.time.value = `${(step * dt).toFixed(1)} / ${duration.toFixed(0)} s`;
    this.line.setAttribute('aria-valuetext', `${(step * dt).toFixed(1)} seconds`);
  }

  show(): void {
    const { about, frame, clock } = this.app;
    const state = clock.playing ? 'pause' : 'play';
    if (this.shown !== state) {
      this.shown = state;
      const name = clock.playing ? 'Pause (space)' : 'Play (space)';
      this.play.replaceChildren(icon(ICONS[state]));
      this.play.setAttribute('aria-label', name);
      this.play.title = name;
    }
    if (!about || !frame || this.dragging) return;
    this.line.max = String(Math.max(1, Math.round(about.duration / about.dt), frame.step));
    this.line.value = String(frame.step);
    this.say(frame.step);
  }
}
