/* view/colours.ts - colours of agents by what they are or do.
 *
 * Kinds take the palette of Okabe and Ito, which all kinds of colour vision tell apart; numbers take cividis (Nunez,
 * Anderton and Renslow 2018), made for the same, sampled at six values. What can be shown is a list, so that panel and
 * legend are made from it.
 */
import { Color } from 'three';
import { NO_INDEX, type About, type Frame } from '../engine/types';

const KINDS = [0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7, 0x999999];
const RAMP = [0x00224e, 0x35456c, 0x666970, 0x948e77, 0xc8b866, 0xfee838];

const linear = (hex: number): [number, number, number] => new Color(hex).toArray() as [number, number, number];
const kinds = KINDS.map(linear);
const ramp = RAMP.map(linear);

export function kindColour(kind: number): [number, number, number] {
  return kinds[kind % kinds.length]!;
}

/** The colour of a number from 0 to 1. */
export function rampColour(value: number): [number, number, number] {
  const at = Math.min(Math.max(Number.isFinite(value) ? value : 0, 0), 1) * (ramp.length - 1);
  const low = Math.min(Math.floor(at), ramp.length - 2);
  const part = at - low;
  return [0, 1, 2].map((k) => ramp[low]![k]! * (1 - part) + ramp[low + 1]![k]! * part) as [number, number, number];
}

export const COLOUR_BY = [
  'population',
  'goal',
  'group',
  'model',
  'speed',
  'slowed',
  'density',
  'state',
  'one colour',
] as const;
export type ColourBy = (typeof COLOUR_BY)[number];

export interface Legend {
  name: string;
  colour: [number, number, number];
}

const speedOf = (frame: Frame, i: number): number =>
  Math.hypot(frame.velocity[3 * i]!, frame.velocity[3 * i + 1]!, frame.velocity[3 * i + 2]!);

/** States of throng/agent.h, in their order. */
export const STATES = ['not there yet', 'walks', 'waits', 'has arrived', 'is lost', 'external', 'has not set off'];
export const DELAYED = 0;

/** Three numbers for each agent. */
export function agentColours(frame: Frame, by: ColourBy): Float32Array {
  const out = new Float32Array(3 * frame.count);
  const kind = (value: number): [number, number, number] => kindColour(value === NO_INDEX ? KINDS.length - 1 : value);
  const one: Record<ColourBy, (i: number) => [number, number, number]> = {
    population: (i) => kind(frame.population[i]!),
    goal: (i) => kind(frame.goal[i]! ? frame.goal[i]! - 1 : NO_INDEX),
    group: (i) => kind(frame.group[i]! ? frame.group[i]! - 1 : NO_INDEX),
    model: (i) => kind(frame.model[i]! ? frame.model[i]! - 1 : NO_INDEX),
    speed: (i) => rampColour(speedOf(frame, i) / 2),
    slowed: (i) => rampColour(frame.speed[i]! > 0 ? 1 - speedOf(frame, i) / frame.speed[i]! : 0),
    density: (i) => rampColour(frame.density[i]! / 4),
    state: (i) => kind(frame.state[i]!),
    'one colour': () => kindColour(1),
  };
  for (let i = 0; i < frame.count; i++) out.set(one[by](i), 3 * i);
  return out;
}

function scale(low: string, middle: string, high: string): Legend[] {
  return [low, middle, high].map((name, k) => ({ name, colour: rampColour(k / 2) }));
}

/** What the colours mean, in words. */
export function legend(about: About, by: ColourBy): Legend[] {
  const named = (names: string[]): Legend[] => names.map((name, k) => ({ name, colour: kindColour(k) }));
  if (by === 'population') return named(about.populations).slice(0, 12);
  if (by === 'goal') return about.goals.map(({ name, id }) => ({ name, colour: kindColour(id - 1) })).slice(0, 12);
  if (by === 'model') return named(about.models);
  if (by === 'state') return named(STATES);
  if (by === 'speed') return scale('stands', '1 m/s', '2 m/s and more');
  if (by === 'slowed') return scale('as fast as wanted', 'half as fast', 'stands');
  if (by === 'density') return scale('alone', '2 per m²', '4 per m² and more');
  return [];
}
