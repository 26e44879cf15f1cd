/* panel/hint.ts - what to do on a first visit; gone with the first thing that is done. */
import { byId } from './bar';

const SEEN = 'throng.seen';

export function showHint(): void {
  const hint = byId('hint');
  try {
    if (localStorage.getItem(SEEN)) return;
    localStorage.setItem(SEEN, '1');
  } catch {
    /* a page opened as a file may have no storage: the hint is then shown each time */
  }
  hint.textContent = 'Press play. Drag to look round, click somebody to know more, press H for the keys.';
  hint.hidden = false;
  const hide = (): void => {
    hint.hidden = true;
  };
  for (const event of ['pointerdown', 'keydown', 'wheel']) addEventListener(event, hide, { once: true });
}
