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
import { saveBlob } from './save';
import { THEMES, applyTheme, onSystemTheme, type Theme } from './theme';

const ALL = 'all';
const NONE = 'none';

export class Settings {
  private readonly gui: GUI;
  private floors: ReturnType<GUI['add']>;
  private goals: ReturnType<GUI['add']>;
  private readonly list = document.createElement('ul');
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
    theme: 'as the system' as Theme,
    seed: 0,
  };

  constructor(
    private readonly app: App,
    private readonly curves: Curves,
  ) {
    const { state } = this;
    const gui = new GUI({ container: byId('panel'), injectStyles: false, title: 'Settings' });
    this.gui = gui;
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
    see.add(state, 'names').onChange((on: boolean) => ((app.labels.visible = on), app.refresh()));
    see.add(state, 'trails').onChange((on: boolean) => this.setTrails(on));
    see.add(state, 'theme', [...THEMES]).onChange(() => this.setTheme());
    const understand = gui.addFolder('Understand');
    this.goals = understand.add(state, 'field', [NONE]);
    understand.add(state, 'curves').onChange((on: boolean) => this.setCurves(on));
    understand
      .add(state, 'traces')
      .name('traces of chosen')
      .onChange((on: boolean) => this.setTraces(on));
    const run = gui.addFolder('Run');
    run.add(state, 'seed', 0, 1e9, 1).name('seed');
    run.add({ again: () => void app.restart(state.seed) }, 'again').name('start again with this seed');
    run.add({ picture: () => void this.savePicture() }, 'picture').name('save the picture');
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

  private async savePicture(): Promise<void> {
    const picture = await this.app.stage.picture();
    if (picture) saveBlob(picture, `${this.app.about?.name ?? 'throng'}.png`);
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
    const names = [NONE, ...(this.app.about?.goals ?? []).map(({ name }) => name)];
    this.floors = this.floors.options(this.floorNames()).onChange((floor: string) => this.setFloor(floor));
    this.floors.show(this.floorNames().length > 1);
    this.goals = this.goals.options(names).onChange((name: string) => this.setField(name));
    this.showLegend();
    this.update();
  }
}
