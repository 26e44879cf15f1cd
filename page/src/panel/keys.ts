/* panel/keys.ts - every key in one table: what it does, and the card that tells so. */
import type { App } from '../app';
import type { Editor } from '../edit/editor';
import { TOOLS } from '../edit/tools';
import { COLOUR_BY } from '../view/colours';
import type { Bar } from './bar';
import { byId } from './bar';
import type { Settings } from './settings';

interface Key {
  keys: string[];
  text: string;
  act: (event: KeyboardEvent) => void;
}

/** Another agent of the frame, so that one can be chosen without a mouse. */
function chooseNext(app: App, by: number): void {
  const { frame } = app;
  if (!frame || frame.count === 0) return;
  const at = app.row < 0 ? (by > 0 ? -1 : 0) : app.row;
  for (let k = 1; k <= frame.count; k++) {
    const row = (at + by * k + frame.count * k) % frame.count;
    if (frame.state[row] !== 0) return void app.choose(frame.id[row]!);
  }
}

export class Keys {
  private readonly card = byId<HTMLDialogElement>('keys');
  readonly table: Key[];

  constructor(app: App, bar: Bar, settings: Settings, editor: Editor) {
    const { cameras } = app;
    const turn = (angle: number, tilt: number) => (event: KeyboardEvent) => {
      if (event.shiftKey) cameras.move(-angle * 0.3, tilt * 0.3);
      else if (cameras.way === 'top') cameras.move(-angle * 0.6, tilt * 0.6);
      else cameras.turn(angle, -tilt);
    };
    const nextColour = (): void => {
      const at = COLOUR_BY.indexOf(settings.state.colour);
      settings.setColour(COLOUR_BY[(at + 1) % COLOUR_BY.length]!);
    };
    this.table = [
      { keys: [' '], text: 'play or pause', act: () => bar.toggle() },
      { keys: ['.'], text: 'one step forward', act: () => void app.forward() },
      { keys: [','], text: 'one step back', act: () => void bar.back() },
      { keys: ['Home'], text: 'back to the start', act: () => void app.goTo(0) },
      { keys: [']', '['], text: 'faster, slower', act: (event) => bar.change(event.key === ']' ? 1 : -1) },
      { keys: ['ArrowLeft'], text: 'turn left (with shift: move)', act: turn(-0.12, 0) },
      { keys: ['ArrowRight'], text: 'turn right (with shift: move)', act: turn(0.12, 0) },
      { keys: ['ArrowUp'], text: 'look from higher up (with shift: move ahead)', act: turn(0, 0.1) },
      { keys: ['ArrowDown'], text: 'look from lower down (with shift: move back)', act: turn(0, -0.1) },
      { keys: ['+', '=', '-'], text: 'nearer, farther', act: (event) => cameras.zoom(event.key === '-' ? 1.15 : 0.87) },
      { keys: ['0'], text: 'the whole scene', act: () => cameras.home() },
      { keys: ['o'], text: 'look round', act: () => settings.setCamera('orbit') },
      { keys: ['t'], text: 'look from above', act: () => settings.setCamera('top') },
      { keys: ['f'], text: 'follow the chosen agent', act: () => settings.setCamera('follow') },
      {
        keys: ['n', 'p'],
        text: 'choose the next, the one before',
        act: (event) => chooseNext(app, event.key === 'n' ? 1 : -1),
      },
      { keys: ['Escape'], text: 'choose nobody', act: () => void app.choose(0) },
      { keys: ['c'], text: 'other colours', act: nextColour },
      { keys: ['l'], text: 'trails', act: () => settings.setTrails(!settings.state.trails) },
      { keys: ['g'], text: 'the field to the next goal', act: () => settings.nextField() },
      { keys: ['v'], text: 'curves', act: () => settings.setCurves(!settings.state.curves) },
      { keys: ['d'], text: 'what the decision was made of', act: () => settings.setTraces(!settings.state.traces) },
      {
        keys: ['PageUp', 'PageDown'],
        text: 'the floor above, below',
        act: (event) => settings.changeFloor(event.key === 'PageUp' ? 1 : -1),
      },
      ...TOOLS.map(({ id, key, text }) => ({ keys: [key], text, act: () => editor.take(id) })),
      {
        keys: ['u'],
        text: 'undo (with shift: redo)',
        act: (event) => void (event.shiftKey ? editor.redo() : editor.undo()),
      },
      { keys: ['Delete'], text: 'those who are chosen leave', act: () => void editor.dismiss() },
      { keys: ['s'], text: 'settings', act: () => settings.fold() },
      { keys: ['h', '?'], text: 'this card', act: () => this.toggle() },
    ];
    this.write();
    byId('help').onclick = () => this.toggle();
    addEventListener('keydown', (event) => this.hear(event));
  }

  private hear(event: KeyboardEvent): void {
    const at = event.target as HTMLElement;
    const writes =
      at instanceof HTMLInputElement || at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement;
    const presses = event.key === ' ' && at instanceof HTMLButtonElement;
    if (writes || presses || event.ctrlKey || event.metaKey || event.altKey || (this.card.open && event.key !== 'h'))
      return;
    const found = this.table.find(({ keys }) =>
      keys.includes(event.key.length === 1 ? event.key.toLowerCase() : event.key),
    );
    if (!found) return;
    event.preventDefault();
    found.act(event);
  }

  toggle(): void {
    if (this.card.open) this.card.close();
    else this.card.showModal();
  }

  private write(): void {
    const close = document.createElement('button');
    close.type = 'button';
    close.className = 'close';
    close.textContent = '×';
    close.setAttribute('aria-label', 'Close help');
    close.onclick = () => this.card.close();
    const title = document.createElement('h2');
    title.textContent = 'Mouse, fingers and keys';
    const list = document.createElement('dl');
    const hands = [
      ['drag', 'turn (from above: move)'],
      ['right button, two fingers', 'move'],
      ['wheel, pinch', 'nearer, farther'],
      ['click', 'choose an agent (with shift: one more; drag with shift: a box)'],
      ['tool in hand', 'click, drag or draw'],
      ['drop a scene file', 'open it'],
    ].map(([name, text]) => ({ name: [name!], text: text! }));
    const named: Record<string, string> = {
      ' ': 'space',
      ArrowLeft: '←',
      ArrowRight: '→',
      ArrowUp: '↑',
      ArrowDown: '↓',
    };
    const keys = this.table.map(({ keys, text }) => ({ name: keys.map((key) => named[key] ?? key), text }));
    for (const { name, text } of [...hands, ...keys]) {
      const term = document.createElement('dt');
      name.forEach((key, i) => {
        const element = document.createElement('kbd');
        element.textContent = key;
        term.append(...(i ? [' ', element] : [element]));
      });
      const meaning = document.createElement('dd');
      meaning.textContent = text;
      list.append(term, meaning);
    }
    this.card.append(close, title, list);
  }
}
