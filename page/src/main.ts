/* main.ts - starts the page: engine, scene, panels. */
import '../node_modules/lil-gui/dist/lil-gui.css';
import '../node_modules/uplot/dist/uPlot.min.css';
import './panel/style.css';
import { App } from './app';
import { Client } from './engine/client';
import type { Trouble } from './engine/types';
import { readFiles } from './files';
import { Bar, byId } from './panel/bar';
import { Curves } from './panel/curves';
import { Card } from './panel/card';
import { listenToHand } from './panel/hand';
import { showHint } from './panel/hint';
import { Keys } from './panel/keys';
import { Settings } from './panel/settings';
import { describe } from './panel/trouble';

function showTrouble(trouble: Trouble | null): void {
  byId('trouble').hidden = trouble === null;
  if (trouble) byId('trouble').replaceChildren(...describe(trouble));
}

function showHead(app: App): void {
  const { about, frame } = app;
  if (!about || !frame) return;
  const walking = frame.state.reduce((sum, state) => sum + (state === 1 ? 1 : 0), 0);
  byId('status').textContent = `${frame.count} agents, ${walking} walk${frame.done ? ' · the end' : ''}`;
}

async function main(): Promise<void> {
  const files = await readFiles();
  const client = new Client(files.worker, files.wasm);
  const app = new App(client, byId<HTMLCanvasElement>('stage'), byId('labels'));
  const bar = new Bar(app);
  const curves = new Curves();
  const settings = new Settings(app, curves);
  const card = new Card(app);
  const keys = new Keys(app, bar, settings);
  app.onTrouble = showTrouble;
  app.onChange = () => {
    bar.show();
    card.show();
    showHead(app);
  };
  app.onFrame = (frame) => curves.add(frame);
  app.onScene = () => {
    byId('name').textContent = app.about?.name ?? '';
    byId('description').textContent = app.about?.description ?? '';
    document.title = `${app.about?.name ?? ''} · Throng`;
    settings.onScene();
    showHint();
  };
  app.onChange();
  listenToHand(app);
  Object.assign(window, { throng: { app, keys, settings } }); /* for scripts and tests */
  await client.start();
  if (files.scene) await app.load(files.scene);
  else byId('description').textContent = 'Drop a scene file here.';
}

main().catch((error: unknown) => showTrouble({ where: '', text: String(error) }));
