/* edit/names.ts - names of things that are made by hand, and what a deed was, in words. */
import type { About, Barrier } from '../engine/types';

/** Every name in use. */
export function namesOf(about: About, barriers: Barrier[]): Set<string> {
  const named = [...about.goals, ...about.guides, ...about.groups, ...about.sources, ...barriers];
  return new Set([...named.map(({ name }) => name), ...about.populations]);
}

/** The first free name of a kind: "goal 1", "goal 2" ... */
export function freshName(kind: string, used: Set<string>): string {
  let number = 1;
  while (used.has(`${kind} ${number}`)) number++;
  return `${kind} ${number}`;
}

const count = (agents: unknown): string =>
  Array.isArray(agents) ? (agents.length === 1 ? `agent ${agents[0]}` : `${agents.length} agents`) : '';

/* Whom or what an event is about. */
function about(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { name, goal, population, group, agents } = value as Record<string, unknown>;
  const named = name ?? goal ?? population ?? group;
  return named !== undefined ? String(named) : count(agents);
}

/** An event in a few words: its key and what it is about. */
export function wordsOf(event: object): string {
  const [key, value] = Object.entries(event).find(([key]) => key !== 'at' && key !== 'step') ?? ['', ''];
  return `${key.replace('_', ' ')} ${about(value)}`.trim();
}
