/* main.ts - starts the page: engine, scene, panels. */
import '../node_modules/lil-gui/dist/lil-gui.css';
import '../node_modules/uplot/dist/uPlot.min.css';
import './panel/style.css';
import { App } from './app';
import { Editor } from './edit/editor';
import { Client } from './engine/client';
import type { Trouble } from './engine/types';
import { readFiles } from './files';
import { Bar, byId } from './panel/bar';
import { Curves } from './panel/curves';
import { Card } from './panel/card';
import { Deeds } from './panel/deeds';
import { Files } from './panel/files';
import { showHint } from './panel/hint';
import { Keys } from './panel/keys';
import { Settings } from './panel/settings';
import { ToolStrip } from './panel/tools';
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
  const held = await readFiles();
  const client = new Client(held.worker, held.wasm);
  const app = new App(client, byId<HTMLCanvasElement>('stage'), byId('labels'));
  const bar = new Bar(app);
  const curves = new Curves();
  const editor = new Editor(app);
  const files = new Files(app);
  const deeds = new Deeds(app, editor);
  const settings = new Settings(app, curves, files, deeds.root);
  const card = new Card(app, editor);
  const tools = new ToolStrip(app, editor);
  const keys = new Keys(app, bar, settings, editor);
  app.onTrouble = showTrouble;
  app.onChange = () => {
    bar.show();
    card.show();
    showHead(app);
    deeds.show();
  };
  app.onDeed = () => {
    settings.onDeed();
    void card.renew();
    void editor.renew();
    tools.show();
  };
  editor.onChange = () => {
    tools.show();
    deeds.show();
  };
  app.onFrame = (frame) => curves.add(frame);
  app.onScene = () => {
    byId('name').textContent = app.about?.name ?? '';
    byId('description').textContent = app.about?.description ?? '';
    document.title = `${app.about?.name ?? ''} · Throng`;
    settings.onScene();
    editor.undone = [];
    app.onDeed();
    showHint();
  };
  app.onChange();
  tools.show();
  Object.assign(window, { throng: { app, keys, settings, editor } }); /* for scripts and tests */
  await client.start();
  if (held.scene) await app.load(held.scene);
  else byId('description').textContent = 'Drop a scene file here.';
}

main().catch((error: unknown) => showTrouble({ where: '', text: String(error) }));
