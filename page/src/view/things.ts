/* view/things.ts - goals, doors, areas, sources and paths as lines over the ground, with their names. */
import { Box3, Group, Vector3, type Camera } from 'three';
import type { About, Barrier, Ground, Shape } from '../engine/types';
import { Labels } from './labels';
import { Outlines, shapeCentre } from './marks';
import type { Palette } from './palette';

const LINE = 1;
const POLYGON = 3;

/** Where one can be: what the camera looks at as a whole. */
export function boundsOf(ground: Ground): Box3 {
  const box = new Box3();
  if (ground.kind === 'mesh') return box.setFromArray(ground.vertices);
  const at = new Vector3();
  ground.clearance.forEach((clearance, i) => {
    if (clearance <= 0) return;
    const x = ground.x0 + (i % ground.width) * ground.cell;
    box.expandByPoint(at.set(x, ground.y0 + Math.floor(i / ground.width) * ground.cell, 0));
  });
  return box;
}

interface Named {
  name: string;
  shape: Shape;
}

/** What is drawn of each kind. */
export function thingsOf(about: About, barriers: Barrier[]): Record<'goals' | 'doors' | 'areas' | 'paths', Named[]> {
  const shaped = ({ shape }: Named): boolean => shape.points.length > 0;
  const groups = about.groups.flatMap(({ name, areas }) =>
    areas.map((points) => ({ name, shape: { kind: POLYGON, radius: 0, points } })),
  );
  return {
    goals: about.goals,
    doors: barriers.filter(({ door }) => door).filter(shaped),
    areas: [...groups, ...about.sources].filter(shaped),
    paths: about.guides.map(({ name, points }) => ({ name, shape: { kind: LINE, radius: 0, points } })).filter(shaped),
  };
}

export class Things {
  readonly group = new Group();
  readonly labels: Labels;
  private readonly lines = {
    goals: new Outlines(),
    doors: new Outlines(),
    areas: new Outlines(),
    paths: new Outlines(),
  };

  constructor(labels: HTMLElement) {
    this.labels = new Labels(labels);
    this.group.add(...Object.values(this.lines).map(({ group }) => group));
  }

  show(about: About, barriers: Barrier[], palette: Palette): void {
    const things = thingsOf(about, barriers);
    const ink = { goals: palette.goal, doors: palette.line, areas: palette.area, paths: palette.path };
    for (const kind of ['goals', 'doors', 'areas', 'paths'] as const)
      this.lines[kind].show(
        things[kind].map(({ shape }) => shape),
        ink[kind],
      );
    const named = Object.values(things).flat();
    this.labels.show(
      named.filter(({ name }) => name).map(({ name, shape }) => ({ text: name, at: shapeCentre(shape) })),
    );
  }

  place(camera: Camera, width: number, height: number): void {
    this.labels.place(camera, width, height);
  }
}
