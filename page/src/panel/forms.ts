/* panel/forms.ts - controls made from rows of the engine's tables: name, kind, range, unit and one sentence each.
 *
 * A control gives a text as events take it; a value outside its range is told beside it and changes nothing.
 */
import { complaint } from '../edit/values';
import type { Row, Schema, SchemaKey } from '../engine/types';

let number = 0;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text = '',
  className = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function button(text: string, act: () => void, title = ''): HTMLButtonElement {
  const made = element('button', text, 'plain');
  made.type = 'button';
  if (title) made.title = title;
  made.onclick = act;
  return made;
}

export function choice(names: readonly string[], value: string, empty = '–'): HTMLSelectElement {
  const made = element('select');
  for (const name of names.includes(value) ? names : [value, ...names]) {
    const option = element('option', name === '' ? empty : name);
    option.value = name;
    made.append(option);
  }
  made.value = value;
  return made;
}

function inputOf(row: Row, value: string): HTMLInputElement | HTMLSelectElement {
  if (row.type === 'enum') return choice(row.choices ?? [], value);
  const input = element('input');
  if (row.type === 'bool') {
    input.type = 'checkbox';
    input.checked = value === 'true' || value === '1';
    return input;
  }
  const is = row.type === 'float' || row.type === 'int';
  input.type = is ? 'number' : 'text';
  if (is) input.step = row.type === 'int' ? '1' : 'any';
  if (is && row.min !== null) input.min = String(row.min);
  if (is && row.max !== null) input.max = String(row.max);
  input.value = value;
  return input;
}

const textOf = (input: HTMLInputElement | HTMLSelectElement): string =>
  input instanceof HTMLInputElement && input.type === 'checkbox' ? String(input.checked) : input.value;

/** A line with the name of a row, its control and its unit. */
export function control(row: Row, value: string, onChange: (text: string) => void): HTMLElement {
  const line = element('div', '', 'row');
  const label = element('label', row.name.replaceAll('_', ' '));
  const input = inputOf(row, value);
  input.id = `row-${++number}`;
  label.htmlFor = input.id;
  line.title = row.text;
  const wrong = element('p', '', 'wrong');
  wrong.id = `${input.id}-wrong`;
  wrong.setAttribute('role', 'alert');
  input.onchange = () => {
    const text = textOf(input);
    const why = complaint(row, text);
    wrong.textContent = why;
    input.setAttribute('aria-invalid', String(why !== ''));
    if (!why) onChange(text);
  };
  input.dataset['name'] = row.name;
  line.append(label, input, element('span', row.unit));
  const both = element('div');
  both.append(line, wrong);
  return both;
}

/** Many rows, which a few letters narrow down. */
export function controls(
  rows: Row[],
  values: Record<string, string>,
  onChange: (row: Row, text: string) => void,
): HTMLElement {
  const root = element('div');
  const lines = rows.map((row) => control(row, values[row.name] ?? '', (text) => onChange(row, text)));
  if (rows.length > 12) {
    const find = element('input');
    find.type = 'search';
    find.placeholder = 'find a parameter';
    find.setAttribute('aria-label', 'find a parameter');
    find.oninput = () => {
      const part = find.value.toLowerCase().replaceAll(' ', '_');
      lines.forEach((line, i) => (line.hidden = !`${rows[i]!.name} ${rows[i]!.text}`.toLowerCase().includes(part)));
    };
    root.append(find);
  }
  root.append(...lines);
  return root;
}

/* The last unit in brackets of a description: "wanted speed; default 1.34 [m/s]". */
const unitOf = (text: string): string => /\[([^\]]*)\]\s*$/.exec(text)?.[1] ?? '';

function rowOf(name: string, key: SchemaKey): Row | null {
  const is = key.anyOf?.[0] ?? key;
  const text = key.description ?? '';
  const row = { name, unit: unitOf(text), text, min: is.minimum ?? null, max: is.maximum ?? null, default: null };
  if (is.enum) return { ...row, type: 'enum', choices: is.enum };
  if (is.type === 'boolean') return { ...row, type: 'bool' };
  if (is.type === 'integer') return { ...row, type: 'int' };
  if (is.type === 'number') return { ...row, type: 'float' };
  if (is.$ref?.endsWith('/pair')) return { ...row, type: 'vec2' };
  return null;
}

/** The keys of an object of scenes that one control can set. */
export function rowsOf(schema: Schema, object: string, without: readonly string[]): Row[] {
  const keys = Object.entries(schema.$defs[object]?.properties ?? {});
  return keys.flatMap(([name, key]) => (without.includes(name) ? [] : (rowOf(name, key) ?? [])));
}

/** A text of a control as JSON for an event. */
export function jsonOf(row: Row, text: string): unknown {
  if (row.type === 'float' || row.type === 'int') return Number(text);
  if (row.type === 'bool') return text === 'true';
  if (row.type === 'vec2') return text.split(/[\s,]+/).map(Number);
  return text;
}

/** A part that opens; what it holds is made when it does. */
export function fold(
  title: string,
  fill: (root: HTMLElement) => void | Promise<void>,
  open = false,
): HTMLDetailsElement {
  const details = element('details');
  const root = element('div');
  details.append(element('summary', title), root);
  details.ontoggle = () => {
    if (details.open) void fill(root);
  };
  details.open = open;
  return details;
}
