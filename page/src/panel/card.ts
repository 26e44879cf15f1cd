/* panel/card.ts - those who are chosen: what is known of them, and every parameter, to be read and changed.
 *
 * Facts follow each step; controls are made from the engine's tables when they are opened and after each deed. A change
 * holds for all who are chosen: parameters of a model are given as a whole, so each keeps its own others.
 */
import { isGraph } from '../edit/graphs';
import { TRACE_SCALAR, TRACE_VECTOR, type AgentNow, type Row } from '../engine/types';
import type { App } from '../app';
import type { Editor } from '../edit/editor';
import { STATES } from '../view/colours';
import { byId } from './bar';
import { button, choice, control, controls, element, fold, jsonOf, rowsOf } from './forms';
import { graphEditor } from './graph';

const round = (value: number | null, digits = 2): string =>
  value === null || !Number.isFinite(value) ? '–' : value.toFixed(digits);

/* Keys of a change that have controls of their own, or none: who is meant, lists, what counts only when they enter. */
const OTHERS = [
  'population',
  'agents',
  'group',
  'region',
  'route',
  'model',
  'params',
  'guide',
  'people',
  'links',
  'heading',
  'start_speed',
];

/** Own numbers in the listing of an agent: lines before its model. */
export function ownValues(listing: string): Record<string, string> {
  const lines = listing.split('\n');
  const end = lines.findIndex((line) => line.startsWith('model '));
  const words = lines.slice(0, end < 0 ? lines.length : end).map((line) => line.split(' '));
  return Object.fromEntries(words.map(([name, ...values]) => [name, values.join(' ')]));
}

export class Card {
  private readonly root = byId('card');
  private readonly table = element('table');
  private readonly title = element('h2');
  private readonly actions = element('p', '', 'actions');
  private readonly parts: HTMLDetailsElement[];
  private readonly listing = element('pre');
  private now: AgentNow | null = null;

  constructor(
    private readonly app: App,
    private readonly editor: Editor,
  ) {
    const close = button('×', () => void app.choose(0));
    close.className = 'close';
    close.setAttribute('aria-label', 'Choose nobody (Escape)');
    this.actions.append(button('remove', () => void editor.dismiss(), 'those who are chosen leave the world (Delete)'));
    this.parts = [
      fold('what it does', (root) => this.fillDoings(root)),
      fold('its own numbers', (root) => this.fillOwn(root)),
      fold('parameters of its model', (root) => this.fillModel(root)),
      fold('among people', (root) => this.fillPeople(root)),
      fold('all parameters, as text', (root) => this.fillText(root)),
    ];
    this.parts.forEach((part, i) => (part.id = `part-${['doings', 'own', 'model', 'people', 'text'][i]}`));
    this.root.append(close, this.title, this.actions, this.table, ...this.parts);
  }

  private rows(row: number): [string, string][] {
    const { frame, about } = this.app;
    if (!frame || !about) return [];
    const part = (from: Float32Array): number[] => Array.from(from.subarray(3 * row, 3 * row + 3));
    const speed = Math.hypot(...part(frame.velocity));
    const place = part(frame.point)
      .map((v) => round(v))
      .join(', ');
    const rows: [string, string][] = [
      ['population', about.populations[frame.population[row]!] ?? '–'],
      ['model', about.models[frame.model[row]! - 1] ?? '–'],
      ['goal', about.goals.find((goal) => goal.id === frame.goal[row])?.name ?? '–'],
      ['state', STATES[frame.state[row]!] ?? '–'],
      ['place', `${place} m`],
      ['speed', `${round(speed)} of ${round(frame.speed[row]!)} m/s`],
      ['radius, height', `${round(frame.radius[row]!)}, ${round(frame.height[row]!)} m`],
      ['way walked', `${round(frame.walked[row]!, 1)} m`],
    ];
    const items = this.app.traces.items.filter(({ agent }) => agent === this.app.chosen);
    for (const item of items.slice(0, 60)) {
      const name = `${item.source}: ${item.name}`;
      if (item.type === TRACE_SCALAR) rows.push([name, `${round(item.value)} ${item.unit}`]);
      if (item.type === TRACE_VECTOR) rows.push([name, `${round(Math.hypot(...item.a))} ${item.unit}`]);
    }
    return rows;
  }

  /* ------------------------------------------------------------------ deeds */

  private change(what: object): Promise<unknown> {
    return this.editor.act([{ change: { agents: this.app.chosenAll, ...what } }]);
  }

  /* One event for all who have the same values now. */
  private async changeEach(what: (now: AgentNow) => object): Promise<void> {
    const events = new Map<string, number[]>();
    for (const id of this.app.chosenAll) {
      const { agent } = await this.app.client.ask('agentNow', { agent: id });
      if (!agent) continue;
      const text = JSON.stringify(what(agent));
      events.set(text, [...(events.get(text) ?? []), id]);
    }
    await this.editor.act(
      [...events].map(([text, agents]) => ({ change: { agents, ...(JSON.parse(text) as object) } })),
    );
  }

  /* ------------------------------------------------------------------ controls */

  private fillDoings(root: HTMLElement): void {
    const { about } = this.app;
    const { now } = this;
    if (!about || !now) return;
    const pick = (name: string, names: string[], value: string, act: (name: string) => void): HTMLElement => {
      const row: Row = { name, type: 'enum', unit: '', text: '', min: null, max: null, default: null, choices: names };
      return control(row, value, act);
    };
    const goals = about.goals.map(({ name }) => name);
    const stops = now.route.map(({ goal }) => goal);
    const route = (at: number) => (goal: string) => {
      const names = at < stops.length ? stops.map((name, i) => (i === at ? goal : name)) : [...stops, goal];
      const list = names.filter((name) => name !== '');
      if (list.length) void this.change({ route: list });
    };
    const shown = [...stops, ...(goals.length && stops.length < 8 ? [''] : [])];
    const guides = about.guides.map(({ name }) => name);
    root.replaceChildren(
      ...shown.map((goal, i) =>
        pick(i > 0 && i === stops.length ? 'then to' : `goal ${i + 1}`, ['', ...goals], goal, route(i)),
      ),
      ...(guides.length || now.guide ? [pick('guide', guides, now.guide, (guide) => void this.change({ guide }))] : []),
      this.linkList(now),
    );
  }

  private linkList(now: AgentNow): HTMLElement {
    const list = element('ul', '', 'links');
    now.links.forEach((link, i) => {
      const line = element('li', `${link.role || 'link'}: ${link.agent ? `agent ${link.agent}` : 'a point'} `);
      const links = now.links.filter((_, k) => k !== i);
      const drop = button('×', () => void this.editor.act([{ link: { agents: [this.app.chosen], links } }]));
      drop.setAttribute('aria-label', `no longer ${link.role} of agent ${this.app.chosen}`);
      line.append(drop);
      list.append(line);
    });
    return list;
  }

  private async fillOwn(root: HTMLElement): Promise<void> {
    const { schema, chosen, client } = this.app;
    if (!schema || !chosen) return;
    const values = ownValues((await client.ask('listing', { agent: chosen })).text);
    const rows = rowsOf(schema, 'change', OTHERS);
    root.replaceChildren(controls(rows, values, (row, text) => void this.change({ [row.name]: jsonOf(row, text) })));
  }

  private fillModel(root: HTMLElement): void {
    const { now } = this;
    const { tables } = this.app;
    if (!now || !tables) return;
    const table = tables.models.find(({ name }) => name === now.model);
    const models = this.app.schema?.$defs['change']?.properties['model']?.enum ?? [];
    const model = choice(models, now.model);
    model.setAttribute('aria-label', 'model');
    model.onchange = () => void this.change({ model: model.value });
    const rows = table?.params ?? [];
    const put = (row: Row, text: string): void =>
      void this.changeEach((each) => ({ model: each.model, params: { ...each.params, [row.name]: text } }));
    const graphs = rows.filter(isGraph).map((row) => graphEditor(row, now.params[row.name] ?? '', put));
    root.replaceChildren(model, element('p', table?.summary ?? '', 'soft'), ...graphs, controls(rows, now.params, put));
  }

  private fillPeople(root: HTMLElement): void {
    const { now } = this;
    const rows = this.app.tables?.people ?? [];
    if (!now) return;
    const on = element('input');
    on.type = 'checkbox';
    on.checked = now.people !== null;
    const label = element('label', ' keeps distance, makes way, turns its shoulders');
    label.prepend(on);
    on.onchange = () => void this.change({ people: on.checked });
    const put = (row: Row, text: string): void =>
      void this.changeEach((each) => ({ people: { ...each.people, [row.name]: text } }));
    root.replaceChildren(label, ...(now.people ? [controls(rows, now.people, put)] : []));
  }

  private async fillText(root: HTMLElement): Promise<void> {
    root.replaceChildren(this.listing);
    if (this.app.row < 0) return;
    this.listing.textContent = (await this.app.client.ask('listing', { agent: this.app.chosen })).text;
  }

  /** Reads everything again: others were chosen, or something was done. */
  async renew(): Promise<void> {
    const { chosen, client } = this.app;
    this.now = chosen ? (await client.ask('agentNow', { agent: chosen })).agent : null;
    const fill = [this.fillDoings, this.fillOwn, this.fillModel, this.fillPeople, this.fillText];
    for (const [i, part] of this.parts.entries()) {
      part.hidden = !this.now;
      if (part.open) await fill[i]!.call(this, part.lastElementChild as HTMLElement);
    }
    this.show();
  }

  show(): void {
    const { row, chosen, chosenAll } = this.app;
    this.root.hidden = chosen === 0;
    if (this.root.hidden) return;
    const several = chosenAll.length > 1 ? ` and ${chosenAll.length - 1} more` : '';
    this.title.textContent = `${row < 0 ? `Agent ${chosen} has left` : `Agent ${chosen}`}${several}`;
    this.table.replaceChildren(
      ...(row < 0 ? [] : this.rows(row)).map(([name, value]) => {
        const line = element('tr');
        const head = element('th', name);
        head.scope = 'row';
        line.append(head, element('td', value));
        return line;
      }),
    );
  }
}
