/* edit/tools.ts - every tool of the hand in one table: its key, what it draws, and the events that come of it.
 *
 * A tool gets the places that were drawn (one for a click) and makes events of the scene language. What a new thing is
 * like comes from `Wishes`, which the panel of the tool sets.
 */
import type { App } from '../app';
import type { Link } from '../engine/types';
import { freshName, namesOf } from './names';
import { areaOf, isClick, pathOf, shapeOf, FORMS, type Form, type Spot } from './shapes';
import { round } from './values';

/** What new things are like. */
export interface Wishes {
  form: Form;
  /** Names of new things; '': a free one. */
  name: string;
  count: number;
  population: string;
  /** Goal, guide and model of new agents; '': none, or the scene's. */
  goal: string;
  guide: string;
  model: string;
  /** More keys of new agents, as JSON. */
  more: Record<string, unknown>;
  params: Record<string, string>;
  closed: boolean;
  sink: boolean;
  rate: number;
  align: string;
  role: string;
}

export const firstWishes = (): Wishes => ({
  form: 'free',
  name: '',
  count: 1,
  population: '',
  goal: '',
  guide: '',
  model: '',
  more: {},
  params: {},
  closed: true,
  sink: false,
  rate: 1,
  align: 'none',
  role: 'target',
});

export interface Tool {
  id: string;
  key: string;
  /** What it does, for a button and the card of keys. */
  text: string;
  icon: string;
  forms: readonly Form[];
  /** Fields of the wishes that its panel shows. */
  asks: readonly (keyof Wishes)[];
  /** Events of what was drawn; none: nothing happens. */
  events?: (app: App, drawn: Spot[], wishes: Wishes) => object[];
}

const AREAS = FORMS.filter((form) => form !== 'line' && form !== 'point');

const mesh = (app: App): boolean => app.about?.mesh ?? false;
const named = (app: App, kind: string, wishes: Wishes): string =>
  wishes.name || freshName(kind, namesOf(app.about!, app.barriers));

/** What agents are given when they are made. */
function crowd(wishes: Wishes): object {
  return {
    ...(wishes.goal ? { route: [wishes.goal] } : {}),
    ...(wishes.guide ? { guide: wishes.guide } : {}),
    ...(wishes.model ? { model: wishes.model } : {}),
    ...(wishes.model && Object.keys(wishes.params).length ? { params: wishes.params } : {}),
    ...wishes.more,
  };
}

/* A click is one agent, a drag its heading; several fill the disc that was dragged. */
function enter(app: App, drawn: Spot[], wishes: Wishes): object[] {
  const [at, to] = [drawn[0]!, drawn.at(-1)!];
  const name = wishes.population || freshName('people', namesOf(app.about!, app.barriers));
  const point = at.slice(0, mesh(app) ? 3 : 2).map(round);
  if (wishes.count > 1 && !isClick(drawn))
    return [
      { enter: { name, count: wishes.count, region: areaOf('disc', drawn, mesh(app), false), ...crowd(wishes) } },
    ];
  const heading = isClick(drawn) ? {} : { heading: [round(to[0] - at[0]), round(to[1] - at[1])] };
  return [{ enter: { name, positions: [point], ...heading, ...crowd(wishes) } }];
}

function source(app: App, drawn: Spot[], wishes: Wishes): object[] {
  const region = areaOf(wishes.form, drawn, mesh(app), false);
  return [{ source: { name: named(app, 'source', wishes), region, rate: wishes.rate, ...crowd(wishes) } }];
}

function group(app: App, drawn: Spot[], wishes: Wishes): object[] {
  const { about, frame, row } = app;
  const of = frame && row >= 0 ? about?.populations[frame.population[row]!] : undefined;
  const population = wishes.population || of || about?.populations[0];
  const area = [areaOf(wishes.form, drawn, mesh(app), false)];
  return [{ group: { name: named(app, 'area', wishes), populations: [population], area, align: wishes.align } }];
}

/** Whom a link is about: the agents under both ends of a line. */
export function linkEvents(from: number, to: number, role: string, had: Link[]): object[] {
  const kept = had.filter((link) => !(link.role === role && link.agent === to));
  return [{ link: { agents: [from], links: [...kept, { role, agent: to }] } }];
}

export const TOOLS: readonly Tool[] = [
  {
    id: 'choose',
    key: 'q',
    text: 'choose: click, or a box with shift',
    icon: 'M6 3l12 9-5.4 1 3 6-2.4 1.2-3-6L6 18z',
    forms: [],
    asks: [],
  },
  {
    id: 'move',
    key: 'm',
    text: 'move: drag agents, goals, paths, doors, targets',
    icon: 'M12 2l3 4h-2v5h5V9l4 3-4 3v-2h-5v5h2l-3 4-3-4h2v-5H6v2l-4-3 4-3v2h5V6H9z',
    forms: [],
    asks: [],
  },
  {
    id: 'agents',
    key: 'a',
    text: 'new agents: click, drag for the heading',
    icon: 'M12 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM6 21v-6a6 6 0 0 1 12 0v6z',
    forms: [],
    asks: ['population', 'count', 'goal', 'guide', 'model', 'more', 'params'],
    events: enter,
  },
  {
    id: 'source',
    key: 'y',
    text: 'source: draw where agents come',
    icon: 'M3 4h8v16H3zm10 7h4V7l5 5-5 5v-4h-4z',
    forms: AREAS,
    asks: ['name', 'rate', 'goal', 'guide', 'model', 'more', 'params'],
    events: source,
  },
  {
    id: 'goal',
    key: 'e',
    text: 'goal: draw where agents go',
    icon: 'M5 2h2v2h12l-3 4 3 4H7v10H5z',
    forms: FORMS,
    asks: ['name', 'sink'],
    events: (app, drawn, wishes) => [
      { goal: { name: named(app, 'goal', wishes), ...shapeOf(wishes.form, drawn, mesh(app)), sink: wishes.sink } },
    ],
  },
  {
    id: 'obstacle',
    key: 'w',
    text: 'obstacle: draw what is solid',
    icon: 'M2 5h9v6H2zm11 0h9v6h-9zM2 13h4v6H2zm6 0h9v6H8zm11 0h3v6h-3z',
    forms: AREAS,
    asks: ['name'],
    events: (app, drawn, wishes) => [
      { obstacle: { name: named(app, 'obstacle', wishes), ...areaOf(wishes.form, drawn, mesh(app), true) } },
    ],
  },
  {
    id: 'door',
    key: 'b',
    text: 'door: draw what opens and closes',
    icon: 'M5 2h14v20h-3V5H8v17H5zm5 5l4 2v13l-4-2z',
    forms: AREAS,
    asks: ['name', 'closed'],
    events: (app, drawn, wishes) => {
      const area = areaOf(wishes.form, drawn, mesh(app), true);
      return [{ door: { name: named(app, 'door', wishes), closed: wishes.closed, ...area } }];
    },
  },
  {
    id: 'area',
    key: 'r',
    text: 'area: draw what a group fills',
    icon: 'M4 8l7-5 9 4 1 9-8 5-9-4zm2 1v6l6 3 6-4-1-6-5-2z',
    forms: AREAS,
    asks: ['name', 'population', 'align'],
    events: group,
  },
  {
    id: 'path',
    key: 'j',
    text: 'path: draw a line that agents follow',
    icon: 'M4 20c8 2 2-8 8-9s2-9 8-8v3c-3-1-3 7-8 8s0 10-8 9z',
    forms: ['free'],
    asks: ['name'],
    events: (app, drawn, wishes) =>
      isClick(drawn)
        ? []
        : [{ guide: { name: named(app, 'path', wishes), path: { points: pathOf(drawn, mesh(app)) } } }],
  },
  {
    id: 'link',
    key: 'k',
    text: 'link: drag from who pursues or flees to whom',
    icon: 'M5 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zm14 0a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM9 11h5V9l3 3-3 3v-2H9z',
    forms: [],
    asks: ['role'],
  },
  {
    id: 'send',
    key: 'i',
    text: 'send: click where those who are chosen go',
    icon: 'M12 2a7 7 0 0 1 7 7c0 5-7 13-7 13S5 14 5 9a7 7 0 0 1 7-7zm0 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
    forms: [],
    asks: [],
    events: (app, drawn) =>
      app.chosenAll.length
        ? [
            {
              send: {
                agents: app.chosenAll,
                point: drawn
                  .at(-1)!
                  .slice(0, mesh(app) ? 3 : 2)
                  .map(round),
              },
            },
          ]
        : [],
  },
  {
    id: 'remove',
    key: 'x',
    text: 'remove: click an agent, goal, obstacle or door',
    icon: 'M5 3l7 7 7-7 2 2-7 7 7 7-2 2-7-7-7 7-2-2 7-7-7-7z',
    forms: [],
    asks: [],
  },
];

export const toolOf = (id: string): Tool => TOOLS.find((tool) => tool.id === id) ?? TOOLS[0]!;
