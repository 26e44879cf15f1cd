/* panel/card.ts - what is known of the chosen agent, as a table of names and values. */
import { TRACE_SCALAR, TRACE_VECTOR } from '../engine/types';
import type { App } from '../app';
import { STATES } from '../view/colours';
import { byId } from './bar';

const round = (value: number | null, digits = 2): string =>
  value === null || !Number.isFinite(value) ? '–' : value.toFixed(digits);

export class Card {
  private readonly root = byId('card');
  private readonly table = document.createElement('table');
  private readonly title = document.createElement('h2');
  private readonly listing = document.createElement('pre');
  private readonly more = document.createElement('details');

  private shown = 0;

  constructor(private readonly app: App) {
    const close = document.createElement('button');
    close.type = 'button';
    close.className = 'close';
    close.textContent = '×';
    close.setAttribute('aria-label', 'Choose nobody (Escape)');
    close.onclick = () => void app.choose(0);
    const summary = document.createElement('summary');
    summary.textContent = 'all parameters, as text';
    this.more.append(summary, this.listing);
    this.more.ontoggle = () => void this.list();
    this.root.append(close, this.title, this.table, this.more);
  }

  private rows(row: number): [string, string][] {
    const { frame, about } = this.app;
    if (!frame || !about) return [];
    const part = (from: Float32Array): number[] => Array.from(from.subarray(3 * row, 3 * row + 3));
    const speed = Math.hypot(...part(frame.velocity));
    const rows: [string, string][] = [
      ['population', about.populations[frame.population[row]!] ?? '–'],
      ['model', about.models[frame.model[row]! - 1] ?? '–'],
      ['goal', about.goals.find((goal) => goal.id === frame.goal[row])?.name ?? '–'],
      ['state', STATES[frame.state[row]!] ?? '–'],
      [
        'place',
        part(frame.point)
          .map((v) => round(v))
          .join(', ') + ' m',
      ],
      ['speed', `${round(speed)} of ${round(frame.speed[row]!)} m/s`],
      ['radius, height', `${round(frame.radius[row]!)}, ${round(frame.height[row]!)} m`],
      ['way walked', `${round(frame.walked[row]!, 1)} m`],
    ];
    for (const item of this.app.traces.items.slice(0, 60)) {
      const name = `${item.source}: ${item.name}`;
      if (item.type === TRACE_SCALAR) rows.push([name, `${round(item.value)} ${item.unit}`]);
      if (item.type === TRACE_VECTOR) rows.push([name, `${round(Math.hypot(...item.a))} ${item.unit}`]);
    }
    return rows;
  }

  private async list(): Promise<void> {
    if (!this.more.open || this.app.row < 0) return;
    this.listing.textContent = (await this.app.client.ask('listing', { agent: this.app.chosen })).text;
  }

  show(): void {
    const { row } = this.app;
    if (this.shown !== this.app.chosen) void this.list();
    this.shown = this.app.chosen;
    this.root.hidden = this.app.chosen === 0;
    if (this.root.hidden) return;
    this.title.textContent = row < 0 ? `Agent ${this.app.chosen} has left` : `Agent ${this.app.chosen}`;
    this.table.replaceChildren(
      ...(row < 0 ? [] : this.rows(row)).map(([name, value]) => {
        const line = document.createElement('tr');
        const head = document.createElement('th');
        const cell = document.createElement('td');
        head.scope = 'row';
        head.textContent = name;
        cell.textContent = value;
        line.append(head, cell);
        return line;
      }),
    );
  }
}
