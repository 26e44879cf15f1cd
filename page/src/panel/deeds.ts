/* panel/deeds.ts - what was done by hand, step by step; taking it back; any event as text; choosing by words. */
import type { App } from '../app';
import type { Editor } from '../edit/editor';
import { filterAgents, NUMBER_NAMES } from '../edit/filter';
import { wordsOf } from '../edit/names';
import { button, element } from './forms';

export class Deeds {
  readonly root = element('div', '', 'deeds');
  private readonly list = element('ol');
  private readonly back: HTMLButtonElement;
  private readonly again: HTMLButtonElement;
  private readonly event = element('input');
  private readonly filter = element('input');

  constructor(
    private readonly app: App,
    private readonly editor: Editor,
  ) {
    this.back = button(
      'undo',
      () => void editor.undo(),
      'takes back what was done last, and goes back to its moment (U)',
    );
    this.back.id = 'undo';
    this.again = button('redo', () => void editor.redo(), 'makes it again (Shift U)');
    this.again.id = 'redo';
    this.makeEvent();
    this.makeFilter();
    const line = element('p', '', 'actions');
    line.append(this.back, this.again);
    this.root.append(this.filter, line, this.list, this.event);
  }

  private makeEvent(): void {
    this.event.id = 'event';
    this.event.placeholder = 'any event: {"close": "door"}';
    this.event.setAttribute('aria-label', 'an event as JSON');
    this.event.onkeydown = (key) => {
      if (key.key === 'Enter') void this.say();
    };
  }

  /* An event as it was written. */
  private async say(): Promise<void> {
    try {
      const event = JSON.parse(this.event.value) as object;
      if (await this.editor.act([event])) this.event.value = '';
    } catch (error) {
      this.app.onTrouble({ where: 'event', text: String(error) });
    }
  }

  private makeFilter(): void {
    this.filter.id = 'filter';
    this.filter.type = 'search';
    this.filter.placeholder = 'choose by words: lost speed<0.5';
    this.filter.title = `words are names or states; comparisons are of ${NUMBER_NAMES.join(', ')}`;
    this.filter.setAttribute('aria-label', 'choose agents by words');
    this.filter.onchange = () => {
      const { about, frame } = this.app;
      if (about && frame) void this.app.choose(filterAgents(this.filter.value, about, frame));
    };
  }

  show(): void {
    const { log, frame, about } = this.app;
    const now = frame?.step ?? 0;
    const done = log.filter(({ step }) => step <= now);
    this.back.disabled = done.length === 0;
    this.again.disabled = this.editor.undone.length === 0;
    this.list.replaceChildren(
      ...log.slice(-60).map(({ step, event }) => {
        const line = element('li', `${(step * (about?.dt ?? 0)).toFixed(1)} s: ${wordsOf(event)}`);
        line.title = JSON.stringify(event).slice(0, 400);
        line.className = step > now ? 'soft' : '';
        return line;
      }),
    );
  }
}
