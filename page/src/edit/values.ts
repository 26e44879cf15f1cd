/* edit/values.ts - values of parameters between the texts of the engine, controls and JSON.
 *
 * The engine gives and takes every parameter as a text with the bits of its value; only what a person has changed is
 * written anew. A list of points is "1 2; 3 4 0.5".
 */
import type { Row } from '../engine/types';

export type Point = [number, number, number];

export function parsePoints(text: string): Point[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [x = 0, y = 0, z = 0] = part.split(/[\s,]+/).map(Number);
      return [x, y, z];
    });
}

export function pointsText(points: Point[]): string {
  return (
    points.map((point) => point.map((value) => String(round(value))).join(' ')).join('; ') + (points.length ? ';' : '')
  );
}

/** Millimetres are enough for what a hand draws. */
export const round = (value: number): number => Math.round(value * 1000) / 1000;

/** What is wrong with a value, in words; '' when it may stand in its row. */
export function complaint(row: Row, text: string): string {
  if (row.type !== 'float' && row.type !== 'int') return '';
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return 'expected a number';
  if (row.type === 'int' && !Number.isInteger(value)) return 'expected a whole number';
  if (row.min !== null && value < row.min) return `expected at least ${row.min}`;
  if (row.max !== null && value > row.max) return `expected at most ${row.max}`;
  return '';
}
