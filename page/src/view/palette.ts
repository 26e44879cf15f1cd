/* view/palette.ts - the colours of everything that is no agent, for a dark and a light page. */
import { Color, DoubleSide, MeshLambertMaterial } from 'three';

export interface Palette {
  background: Color;
  floor: Color;
  line: Color;
  roof: Color;
  wall: Color;
  blocked: Color;
  goal: Color;
  chosen: Color;
  area: Color;
  path: Color;
}

const of = (hex: Record<keyof Palette, number>): Palette =>
  Object.fromEntries(Object.entries(hex).map(([name, value]) => [name, new Color(value)])) as unknown as Palette;

export const PALETTES: Record<'dark' | 'light', Palette> = {
  dark: of({
    background: 0x14171c,
    floor: 0x4b525c,
    line: 0x7b8490,
    roof: 0x2b3038,
    wall: 0x8a93a0,
    blocked: 0x2b3038,
    goal: 0x35c28f,
    chosen: 0xffffff,
    area: 0xcc79a7,
    path: 0x56b4e9,
  }),
  light: of({
    background: 0xeef1f4,
    floor: 0xdfe3e8,
    line: 0xaab2bc,
    roof: 0xa3acb8,
    wall: 0x8590a0,
    blocked: 0x9aa3ad,
    goal: 0x0b7a55,
    chosen: 0x111111,
    area: 0x9c4a77,
    path: 0x0067a3,
  }),
};

export function solidMaterial(): MeshLambertMaterial {
  return new MeshLambertMaterial({ side: DoubleSide });
}
