/* panel/settings.ts - the panel at the right: how things look, whom to follow, what to save. */
import GUI from 'lil-gui';
import type { App } from '../app';
import { WAYS, type Way } from '../view/cameras';
import { COLOUR_BY, legend, type ColourBy } from '../view/colours';
import { MeshView } from '../view/mesh_ground';
import { PALETTES } from '../view/palette';
import type { Look } from '../view/people';
import { byId } from './bar';
import type { Curves } from './curves';
import type { Files } from './files';
import { THEMES, applyTheme, onSystemTheme, type Theme } from './theme';

const ALL = 'all';
const NONE = 'none';
const PLAIN = 'all alike';

export class Settings {
  private readonly gui: GUI;
  private floors: ReturnType<GUI['add']>;
  private goals: ReturnType<GUI['add']>;
  private readonly list = document.createElement('ul');
  private groups: ReturnType<GUI['add']>;
  private circles: ReturnType<GUI['add']>;
  private readonly drawing: GUI;
  readonly state = {
    camera: 'orbit' as Way,
    colour: 'population' as ColourBy,
    people: 'auto' as Look,
    walls: 0.5,
    floor: ALL,
    names: true,
    trails: false,
    traces: false,
    field: NONE,
    curves: false,
    all: false,
    circles: NONE,
    links: false,
    places: true,
    markers: NONE,
    description: '',
    theme: 'as the system' as Theme,
    seed: 0,
  };

  constructor(
    private readonly app: App,
    private readonly curves: Curves,
    private readonly files: Files,
    deeds: HTMLElement,
  ) {
    const { state } = this;
    const gui = new GUI({ container: byId('panel'), injectStyles: false, title: 'Settings' });
    this.gui = gui;
    this.addDo(gui.addFolder('Do'), deeds);
    const see = gui.addFolder('See');
    see
      .add(state, 'camera', [...WAYS])
      .name('camera')
      .onChange((way: Way) => this.setCamera(way));
    see
      .add(state, 'colour', [...COLOUR_BY])
      .name('colour by')
      .onChange((by: ColourBy) => this.setColour(by));
    this.list.id = 'legend';
    see.$children.append(this.list);
    see
      .add(state, 'people', ['auto', 'figures', 'discs'])
      .onChange((look: Look) => (app.people.lookAs(look), app.refresh()));
    see
      .add(state, 'walls', 0, 4, 0.1)
      .name('walls [m]')
      .onChange((height: number) => app.setWallHeight(height));
    this.floors = see.add(state, 'floor', [ALL]);
    see.add(state, 'names').onChange((on: boolean) => ((app.things.labels.visible = on), app.refresh()));
    see.add(state, 'trails').onChange((on: boolean) => this.setTrails(on));
    see.add(state, 'theme', [...THEMES]).onChange(() => this.setTheme());
    const understand = gui.addFolder('Understand');
    this.goals = understand.add(state, 'field', [NONE]);
    understand.add(state, 'curves').onChange((on: boolean) => this.setCurves(on));
    understand
      .add(state, 'traces')
      .name('traces of chosen')
      .onChange((on: boolean) => this.setTraces(on));
    understand
      .add(state, 'all')
      .name('of everybody')
      .onChange((on: boolean) => this.overlay(() => (app.overlays.all = on), true));
    understand
      .add(state, 'links')
      .name('lines to its points')
      .onChange((on: boolean) => this.overlay(() => (app.overlays.links = on)));
    understand
      .add(state, 'places')
      .name('places and distances')
      .onChange((on: boolean) => this.overlay(() => (app.overlays.places = on)));
    this.circles = understand.add(state, 'circles', [NONE]);
    this.groups = understand.add(state, 'markers', [NONE]);
    this.drawing = understand.addFolder("The engine's own drawing").close();
    this.addRun(gui.addFolder('Run and files'));
    onSystemTheme(() => this.setTheme());
    byId('fold').onclick = () => this.fold();
    if (innerWidth <= 640) this.fold();
    this.setTheme();
  }

  fold(): void {
    const panel = byId('panel');
    panel.hidden = !panel.hidden;
    byId('fold').setAttribute('aria-expanded', String(!panel.hidden));
  }

  setTheme(): void {
    applyTheme(this.state.theme, (name) => this.app.paint(PALETTES[name]));
  }

  setCamera(way: Way): void {
    this.state.camera = way;
    this.app.cameras.choose(way);
    this.app.refresh();
    this.update();
  }

  setColour(by: ColourBy): void {
    this.state.colour = by;
    this.app.setColourBy(by);
    this.showLegend();
    this.update();
  }

  setTrails(on: boolean): void {
    this.state.trails = on;
    this.app.trails.lines.visible = on;
    if (!on) this.app.trails.clear();
    this.app.refresh();
    this.update();
  }

  setTraces(on: boolean): void {
    this.state.traces = on;
    this.app.traces.group.visible = on;
    void this.app.choose(this.app.chosen);
    this.update();
  }

  /** Draws the field to a goal, by its name. */
  setField(name: string): void {
    this.state.field = name;
    void this.app.showField(this.app.about?.goals.find((goal) => goal.name === name)?.id ?? 0);
    this.update();
  }

  /** The next goal's field, after the last one none. */
  nextField(): void {
    const names = [NONE, ...(this.app.about?.goals ?? []).map(({ name }) => name)];
    this.setField(names[(names.indexOf(this.state.field) + 1) % names.length]!);
  }

  setCurves(on: boolean): void {
    this.state.curves = on;
    this.curves.visible = on;
    this.update();
  }

  setFloor(floor: string): void {
    this.state.floor = floor;
    this.app.setFloor(floor === ALL ? null : Number(floor));
    this.update();
  }

  /** The next floor up (1) or down (-1); all lie before the first. */
  changeFloor(by: number): void {
    const names = this.floorNames();
    const next = names[names.indexOf(this.state.floor) + by];
    if (next !== undefined) this.setFloor(next);
  }

  private floorNames(): string[] {
    const { ground } = this.app;
    return [ALL, ...(ground instanceof MeshView ? ground.levels.map((level) => String(level.number)) : [])];
  }

  private addDo(folder: GUI, deeds: HTMLElement): void {
    folder.$children.append(deeds);
  }

  private addRun(run: GUI): void {
    const { state, app, files } = this;
    run.add(state, 'seed', 0, 1e9, 1).name('seed');
    run.add({ again: () => void app.restart(state.seed) }, 'again').name('start again with this seed');
    run
      .add(state, 'description')
      .name('description')
      .onChange((text: string) => {
        if (app.about) app.about.description = app.description = text;
        app.onScene();
      });
    const acts: [string, () => unknown][] = [
      ['open a scene', () => files.open()],
      ['save the scene', () => files.saveScene()],
      ['save the episode', () => files.saveEpisode()],
      ['save the picture', () => files.savePicture()],
      ['save the trajectories (CSV)', () => files.saveTrajectories()],
      ['save everybody now (CSV)', () => files.saveAgents()],
      ['save the curves (CSV)', () => files.saveCurves(this.curves.text())],
    ];
    for (const [name, act] of acts) run.add({ [name]: () => void act() }, name);
  }

  private overlay(set: () => void, trace = false): void {
    set();
    void (trace ? this.app.retrace() : this.app.overlays.renew().then(() => this.app.refresh()));
  }

  /** Circles whose radius is a parameter, as `source.name`, or none. */
  setCircles(name: string): void {
    this.state.circles = name;
    this.overlay(() => (this.app.overlays.circleOf = name === NONE ? '' : name));
    this.update();
  }

  /** Markers with the weights of a group, by its name; PLAIN: without. */
  setMarkers(name: string): void {
    this.state.markers = name;
    const group = this.app.about?.groups.find((group) => group.name === name)?.id ?? 0;
    this.overlay(() => (this.app.overlays.markers = name === NONE ? -1 : group));
    this.update();
  }

  /* Every length among the parameters of models and people. */
  private circleNames(): string[] {
    const { tables } = this.app;
    const all = [...(tables?.models ?? []), { name: 'people', params: tables?.people ?? [] }];
    const lengths = all.flatMap(({ name, params }) =>
      params.filter(({ type, unit }) => type === 'float' && unit === 'm').map((row) => `${name}.${row.name}`),
    );
    return [NONE, ...lengths];
  }

  private addDrawing(): void {
    for (const part of this.app.tables?.draw ?? []) {
      const on = { [part.name]: false };
      this.drawing
        .add(on, part.name)
        .onChange((now: boolean) =>
          this.overlay(() =>
            now ? this.app.overlays.parts.add(part.name) : this.app.overlays.parts.delete(part.name),
          ),
        );
    }
  }

  /** After goals, groups or people have come or gone. */
  onDeed(): void {
    const names = [NONE, ...(this.app.about?.goals ?? []).map(({ name }) => name)];
    this.goals = this.goals.options(names).onChange((name: string) => this.setField(name));
    const groups = [NONE, PLAIN, ...(this.app.about?.groups ?? []).map(({ name }) => name)];
    this.groups = this.groups.options(groups).onChange((name: string) => this.setMarkers(name));
    this.showLegend();
  }

  private update(): void {
    for (const controller of this.gui.controllersRecursive()) controller.updateDisplay();
  }

  private showLegend(): void {
    const entries = this.app.about ? legend(this.app.about, this.state.colour) : [];
    this.list.hidden = entries.length === 0;
    this.list.replaceChildren(
      ...entries.map(({ name, colour }) => {
        const row = document.createElement('li');
        const dot = document.createElement('i');
        dot.style.background = `color(srgb-linear ${colour.map((c) => c.toFixed(4)).join(' ')})`;
        row.append(dot, name);
        return row;
      }),
    );
  }

  /** After a scene has been loaded. */
  onScene(): void {
    this.state.seed = this.app.about?.seed ?? 0;
    this.state.floor = ALL;
    this.state.field = NONE;
    this.state.description = this.app.about?.description ?? '';
    this.floors = this.floors.options(this.floorNames()).onChange((floor: string) => this.setFloor(floor));
    this.floors.show(this.floorNames().length > 1);
    this.circles = this.circles.options(this.circleNames()).onChange((name: string) => this.setCircles(name));
    if (!this.drawing.children.length) this.addDrawing();
    this.onDeed();
    this.update();
  }
}
