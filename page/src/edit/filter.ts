/* edit/filter.ts - who is meant by a few words: "walkers", "lost", "orca speed<0.5", "density>2 goal=exit".
 *
 * Words are looked for in the names of population, goal, model, group and state; comparisons read a number. All of them
 * must hold. Pure, so it is tested without a page.
 */
import type { About, Frame } from '../engine/types';
import { DELAYED, STATES } from '../view/colours';

const NUMBERS: Record<string, (frame: Frame, i: number) => number> = {
  id: (frame, i) => frame.id[i]!,
  speed: (frame, i) => Math.hypot(frame.velocity[3 * i]!, frame.velocity[3 * i + 1]!, frame.velocity[3 * i + 2]!),
  wanted: (frame, i) => frame.speed[i]!,
  density: (frame, i) => frame.density[i]!,
  radius: (frame, i) => frame.radius[i]!,
  height: (frame, i) => frame.height[i]!,
  x: (frame, i) => frame.point[3 * i]!,
  y: (frame, i) => frame.point[3 * i + 1]!,
  z: (frame, i) => frame.point[3 * i + 2]!,
  walked: (frame, i) => frame.walked[i]!,
};
export const NUMBER_NAMES = Object.keys(NUMBERS);

const WORDS: Record<string, (about: About, frame: Frame, i: number) => string> = {
  population: (about, frame, i) => about.populations[frame.population[i]!] ?? '',
  goal: (about, frame, i) => about.goals.find(({ id }) => id === frame.goal[i])?.name ?? '',
  model: (about, frame, i) => about.models[frame.model[i]! - 1] ?? '',
  group: (about, frame, i) => about.groups.find(({ id }) => id === frame.group[i])?.name ?? '',
  state: (_, frame, i) => STATES[frame.state[i]!] ?? '',
};

type Test = (i: number) => boolean;

function numberTest(frame: Frame, name: string, sign: string, value: number): Test {
  const read = NUMBERS[name]!;
  const by: Record<string, (a: number) => boolean> = {
    '<': (a) => a < value,
    '>': (a) => a > value,
    '<=': (a) => a <= value,
    '>=': (a) => a >= value,
    '=': (a) => Math.abs(a - value) < 1e-6,
    '!=': (a) => Math.abs(a - value) >= 1e-6,
  };
  return (i) => by[sign]!(read(frame, i));
}

function testOf(word: string, about: About, frame: Frame): Test {
  const [, name = '', sign = '', value = ''] = /^(\w+)(<=|>=|!=|<|>|=)(.*)$/.exec(word) ?? [];
  if (name in NUMBERS) return numberTest(frame, name, sign, Number(value));
  if (name in WORDS) {
    const is = (i: number): boolean => WORDS[name]!(about, frame, i).toLowerCase() === value.toLowerCase();
    return sign === '!=' ? (i) => !is(i) : is;
  }
  const part = word.toLowerCase();
  return (i) => Object.values(WORDS).some((read) => read(about, frame, i).toLowerCase().includes(part));
}

/** Ids of those who are meant. Words with blanks stand in quotes: goal="way out". */
export function filterAgents(text: string, about: About, frame: Frame): number[] {
  const words = (text.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => word.replaceAll('"', ''));
  if (!words.length) return [];
  const tests = words.map((word) => testOf(word, about, frame));
  const found: number[] = [];
  for (let i = 0; i < frame.count; i++)
    if (frame.state[i] !== DELAYED && tests.every((test) => test(i))) found.push(frame.id[i]!);
  return found;
}
