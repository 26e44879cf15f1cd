/* panel/tools.ts - the strip of tools at the left, and what the tool in hand asks for: made from the table of tools. */
import type { App } from '../app';
import type { Editor } from '../edit/editor';
import { TOOLS, type Wishes } from '../edit/tools';
import type { Row } from '../engine/types';
import { byId, icon } from './bar';
import { control, controls, element, fold, jsonOf, rowsOf } from './forms';

/* Keys of new agents that have controls of their own, or come from the drawing. */
const OTHERS = [
  'name',
  'count',
  'region',
  'positions',
  'route',
  'model',
  'params',
  'guide',
  'people',
  'links',
  'heading',
];

const row = (name: string, type: Row['type'], text: string, more: Partial<Row> = {}): Row => ({
  name,
  type,
  unit: '',
  text,
  min: null,
  max: null,
  default: null,
  ...more,
});

const ROLES: Record<string, string> = {
  target: 'pursues (target)',
  pursuer: 'flees from (pursuer)',
  leader: 'follows (leader)',
  partner: 'walks with (partner)',
  focus: 'looks at (focus)',
};

export class ToolStrip {
  private readonly strip = byId('tools');
  private readonly options = byId('options');
  private readonly buttons = new Map<string, HTMLButtonElement>();

  constructor(
    private readonly app: App,
    private readonly editor: Editor,
  ) {
    for (const { id, key, text, icon: path } of TOOLS) {
      const button = element('button');
      button.type = 'button';
      button.id = `tool-${id}`;
      button.append(icon(path));
      button.title = `${text} (${key.toUpperCase()})`;
      button.setAttribute('aria-label', button.title);
      button.onclick = () => editor.take(id);
      this.buttons.set(id, button);
      this.strip.append(button);
    }
  }

  /** After another tool was taken, or there are other goals. */
  show(): void {
    const { tool, wishes } = this.editor;
    for (const [id, button] of this.buttons) button.setAttribute('aria-pressed', String(id === tool.id));
    this.options.hidden = tool.id === 'choose';
    if (this.options.hidden) return this.options.replaceChildren();
    const title = element('h2', tool.text);
    const forms =
      tool.forms.length > 1 ? [this.ask('form', row('shape', 'enum', '', { choices: [...tool.forms] }))] : [];
    if (tool.forms.length && !tool.forms.includes(wishes.form)) wishes.form = tool.forms[0]!;
    this.options.replaceChildren(title, ...forms, ...tool.asks.flatMap((wish) => this.controlsOf(wish)));
  }

  private ask(wish: keyof Wishes, row: Row): HTMLElement {
    const { wishes } = this.editor;
    return control(row, String(wishes[wish]), (text) => {
      Object.assign(wishes, { [wish]: jsonOf(row, text) });
      if (wish === 'model') (wishes.params = {}), this.show();
    });
  }

  private controlsOf(wish: keyof Wishes): HTMLElement[] {
    const { about, schema, tables } = this.app;
    const names = (list: { name: string }[]): string[] => ['', ...list.map(({ name }) => name)];
    const enums = (object: string, key: string): string[] => schema?.$defs[object]?.properties[key]?.enum ?? [];
    const pick = (name: string, choices: string[], text = ''): HTMLElement[] => [
      this.ask(wish, row(name, 'enum', text, { choices })),
    ];
    if (!about || !schema || !tables) return [];
    if (wish === 'name') return [this.ask(wish, row('name', 'text' as Row['type'], 'a free one when it is empty'))];
    if (wish === 'count')
      return [this.ask(wish, row('count', 'int', 'several fill the disc that is dragged', { min: 1, max: 10000 }))];
    if (wish === 'rate')
      return [this.ask(wish, row('rate', 'float', 'agents per second', { min: 1e-6, max: 1000, unit: '1/s' }))];
    if (wish === 'population') return pick(wish, ['', ...about.populations], 'a new one when it is empty');
    if (wish === 'goal') return pick(wish, names(about.goals));
    if (wish === 'guide') return pick(wish, names(about.guides));
    if (wish === 'model') return pick(wish, ['', ...enums('change', 'model')]);
    if (wish === 'align') return pick(wish, enums('group', 'align'), 'rows, columns or a queue');
    if (wish === 'closed' || wish === 'sink') return [this.ask(wish, row(wish, 'bool', ''))];
    if (wish === 'role') return [this.roles(enums('link', 'role'))];
    if (wish === 'more') return [this.more()];
    return wish === 'params' ? [this.params()] : [];
  }

  private roles(roles: string[]): HTMLElement {
    const { wishes } = this.editor;
    const named = roles.map((role) => ROLES[role] ?? role);
    const shown = ROLES[wishes.role] ?? wishes.role;
    return control(row('who is dragged', 'enum', '', { choices: named }), shown, (text) => {
      wishes.role = roles[named.indexOf(text)] ?? wishes.role;
    });
  }

  private more(): HTMLElement {
    const { wishes } = this.editor;
    return fold('numbers of new agents', (root) => {
      const rows = rowsOf(this.app.schema!, 'population', OTHERS);
      const values = Object.fromEntries(Object.entries(wishes.more).map(([name, value]) => [name, String(value)]));
      root.replaceChildren(controls(rows, values, (row, text) => void (wishes.more[row.name] = jsonOf(row, text))));
    });
  }

  private params(): HTMLElement {
    const { wishes } = this.editor;
    const table = this.app.tables?.models.find(({ name }) => name === wishes.model);
    if (!table) return element('p', 'choose a model to set its parameters', 'soft');
    const first = Object.fromEntries(
      table.params.map((row) => [
        row.name,
        row.type === 'enum'
          ? (row.choices?.[row.default ?? 0] ?? '')
          : row.type === 'bool'
            ? String(!!row.default)
            : String(row.default ?? ''),
      ]),
    );
    return fold(`parameters of ${wishes.model}`, (root) => {
      root.replaceChildren(
        controls(table.params, { ...first, ...wishes.params }, (row, text) => void (wishes.params[row.name] = text)),
      );
    });
  }
}
