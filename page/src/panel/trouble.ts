/* panel/trouble.ts - an error in words, with its place in the scene. */
import type { Trouble } from '../engine/types';

export function describe({ where, text }: Trouble): HTMLElement[] {
  const title = document.createElement('h2');
  title.textContent = 'This did not work';
  const place = document.createElement('code');
  place.textContent = where;
  const words = document.createElement('p');
  words.textContent = text;
  return where ? [title, place, words] : [title, words];
}
