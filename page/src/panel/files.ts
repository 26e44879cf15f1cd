/* panel/files.ts - scenes and packs that are opened, and everything that can be saved, as files of this computer.
 *
 * A pack keeps the files that its scene names: its scene is replaced by the new one, so the program reads what was saved
 * with nothing beside it. Text is escaped to ASCII without markup, as packs are.
 */
import type { App } from '../app';
import type { Frame } from '../engine/types';
import { element } from './forms';
import { saveBlob } from './save';

/** What a scene file or a pack holds. */
interface Pack {
  pack: 1;
  scene: string;
  files: unknown[];
}

/** ASCII without characters that could end a place in a page. */
export function escaped(json: string): string {
  return json.replace(/[<>&\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The scene that was opened with another text in its place, as a file that the program reads. */
export function withScene(opened: string, scene: string): string {
  const was = JSON.parse(opened) as Partial<Pack>;
  if (was.pack === undefined || !was.files?.length) return scene;
  return escaped(JSON.stringify({ ...was, scene }));
}

/** The text of an episode as a scene to go on with: without marks, with this description and duration. */
export function sceneOf(episode: string, description: string, duration: number): string {
  const { marks: _, ...scene } = JSON.parse(episode) as Record<string, unknown>;
  return `${JSON.stringify({ ...scene, ...(description ? { description } : {}), duration }, null, 1)}\n`;
}

/** Everybody at one moment, a line each. */
export function agentsText(frame: Frame, names: { populations: string[]; models: string[] }): string {
  const head = 'agent,population,model,x,y,z,vx,vy,vz,heading_x,heading_y,heading_z,radius,speed,state,density';
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = Array.from({ length: frame.count }, (_, i) => {
    const vector = (from: Float32Array): string[] => [0, 1, 2].map((k) => from[3 * i + k]!.toFixed(4));
    const of = quoted(names.populations[frame.population[i]!] ?? '');
    const model = names.models[frame.model[i]! - 1] ?? '';
    const numbers = [frame.radius[i]!, frame.speed[i]!, frame.state[i]!, frame.density[i]!].map(String);
    return [
      frame.id[i],
      of,
      model,
      ...vector(frame.point),
      ...vector(frame.velocity),
      ...vector(frame.heading),
      ...numbers,
    ].join(',');
  });
  return `${[head, ...lines].join('\n')}\n`;
}

export class Files {
  private readonly input = element('input');

  constructor(private readonly app: App) {
    this.input.type = 'file';
    this.input.id = 'file';
    this.input.accept = '.json,.pack,application/json';
    this.input.hidden = true;
    this.input.setAttribute('aria-label', 'a scene file or a pack');
    this.input.onchange = () => {
      const file = this.input.files?.[0];
      if (file) void this.load(file);
      this.input.value = '';
    };
    document.body.append(this.input);
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.load(file);
    });
  }

  open(): void {
    this.input.click();
  }

  private async load(file: File): Promise<void> {
    await this.app.load(new Uint8Array(await file.arrayBuffer()));
  }

  private save(text: string, name: string, type = 'text/plain'): void {
    saveBlob(new Blob([text], { type }), name);
  }

  private get name(): string {
    return (this.app.about?.name ?? 'throng').replace(/[^\w -]/g, '_').slice(0, 60);
  }

  /* Into the pack, or as it is. */
  private async saveText(change: (episode: string) => string, kind: string): Promise<void> {
    this.app.pause();
    const text = change(await this.app.episode());
    const whole = withScene(new TextDecoder().decode(this.app.opened), text);
    this.save(whole, `${this.name}${kind}.${whole === text ? 'json' : 'pack'}`, 'application/json');
  }

  saveEpisode(): Promise<void> {
    return this.saveText((episode) => episode, '-episode');
  }

  saveScene(): Promise<void> {
    const { description = '', duration = 60 } = this.app.about ?? {};
    return this.saveText((episode) => sceneOf(episode, description, duration), '');
  }

  saveAgents(): void {
    const { frame, about } = this.app;
    if (frame && about) this.save(agentsText(frame, about), `${this.name}-agents.csv`, 'text/csv');
  }

  async saveTrajectories(): Promise<void> {
    this.app.pause();
    this.save(await this.app.trajectories(), `${this.name}-trajectories.csv`, 'text/csv');
  }

  saveCurves(text: string): void {
    this.save(text, `${this.name}-curves.csv`, 'text/csv');
  }

  async savePicture(): Promise<void> {
    const picture = await this.app.stage.picture();
    if (picture) saveBlob(picture, `${this.name}.png`);
  }
}
