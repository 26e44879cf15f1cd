/* browser.mjs - a browser for the tests: Debian's Chromium with software drawing, a page opened as a file.
 *
 * Whatever the page asks for beyond its own file, every error and every warning of its console is kept; `clean` fails
 * when there is one. Answers are asked for again and again, as the page's policy forbids scripts from text.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const PATIENCE = Number(process.env.TH_WAIT ?? 120000); /* [ms]: software drawing on a busy machine is slow */
const program = process.env.TH_PROGRAM ?? join(root, 'build/release/throng');
export const folder = mkdtempSync(join(tmpdir(), 'throng-page-'));

/** Runs the native program; its output. */
export function native(...words) {
  const run = spawnSync(program, words, { encoding: 'utf8', cwd: root });
  assert.equal(run.status === 0 || run.status === 1, true, run.stderr);
  return run.stdout;
}

/** The hash of the native program after so many steps. */
export function nativeHash(scene, steps, dt) {
  const out = join(folder, `native-${steps}`);
  native('run', scene, '--duration', String(steps * dt), '--out', out);
  return JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).hash;
}

/** The page of a scene, as a file. */
export function makePage(scene) {
  const out = join(folder, `${scene.replace(/\W/g, '_')}.html`);
  native('view', scene, '--no-open', '--out', out);
  return out;
}

export class Browser {
  /** Opens a browser of its own, with nothing of earlier ones. */
  static async open(width = 1280, height = 800) {
    const it = new Browser();
    it.profile = mkdtempSync(join(tmpdir(), 'throng-browser-'));
    const flags = ['background-networking', 'component-update', 'sync', 'quic'].map((name) => `--disable-${name}`);
    const drawing = ['--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader'];
    it.context = await chromium.launchPersistentContext(it.profile, {
      executablePath: process.env.TH_CHROMIUM ?? '/usr/bin/chromium',
      headless: true,
      viewport: { width, height },
      args: ['--no-sandbox', '--no-first-run', ...flags, ...drawing],
    });
    it.page = await it.context.newPage();
    it.page.setDefaultTimeout(PATIENCE);
    it.wrong = [];
    it.page.on('console', (said) => ['error', 'warning'].includes(said.type()) && it.note(said.text()));
    it.page.on('pageerror', (error) => it.wrong.push(error.message));
    it.page.on('request', (request) => {
      const url = request.url();
      if (url !== it.url && !url.startsWith('blob:') && !url.startsWith('data:')) it.wrong.push(`asked for ${url}`);
    });
    return it;
  }

  /* Software drawing itself warns about reading back. */
  note(text) {
    if (!/GPU stall|GL Driver Message|swiftshader/i.test(text)) this.wrong.push(text);
  }

  /** Opens a page and waits until its scene is there, or an error is shown. */
  async goTo(file) {
    this.url = pathToFileURL(file).href;
    await this.page.goto(this.url);
    await this.until(() => Boolean(window.throng?.app.about) || !document.getElementById('trouble').hidden);
  }

  /** Waits until a function of the page is true. */
  async until(test, value) {
    const end = Date.now() + PATIENCE;
    while (!(await this.page.evaluate(test, value))) {
      if (Date.now() > end) assert.fail(`never true: ${test}; ${await this.page.textContent('#trouble')}`);
      await this.page.waitForTimeout(50);
    }
  }

  /** A pixel of the picture under which a place lies. */
  pixel(x, y, z = 0) {
    return this.page.evaluate(
      ([x, y, z]) => {
        const { camera, canvas } = window.throng.app.stage;
        camera.updateMatrixWorld();
        const p = camera.position.clone().set(x, y, z).project(camera);
        const box = canvas.getBoundingClientRect();
        return [box.left + ((p.x + 1) * box.width) / 2, box.top + ((1 - p.y) * box.height) / 2];
      },
      [x, y, z],
    );
  }

  /** The place under a pixel, as the hand finds it. */
  place(x, y) {
    return this.page.evaluate(([clientX, clientY]) => window.throng.editor.spot({ clientX, clientY }), [x, y]);
  }

  /** Takes a tool by its key. */
  async take(id) {
    await this.page.evaluate((id) => window.throng.editor.take(id), id);
  }

  /** Presses the mouse on the first of some places, goes over the others and lets go; waits for what comes of it. */
  async draw(places, options = {}) {
    const pixels = [];
    for (const place of places) pixels.push(await this.pixel(...place));
    await this.drag(pixels, options);
  }

  async drag(pixels, { shift = false, deeds = 1 } = {}) {
    const { mouse, keyboard } = this.page;
    const before = await this.deeds();
    await mouse.move(...pixels[0]);
    if (shift) await keyboard.down('Shift');
    await mouse.down();
    for (const at of pixels.slice(1)) await mouse.move(...at, { steps: 3 });
    await mouse.up();
    if (shift) await keyboard.up('Shift');
    await this.until((wanted) => window.throng.app.log.length >= wanted, before.length + deeds);
    await this.rest();
  }

  /** What was done by hand. */
  deeds() {
    return this.page.evaluate(() => window.throng.app.log.map(({ event }) => event));
  }

  /** The last deed, by its key. */
  async last() {
    return (await this.deeds()).at(-1);
  }

  about() {
    return this.page.evaluate(() => window.throng.app.about);
  }

  /** An agent by the engine's tables, and its own numbers. */
  async agent(id) {
    const [{ agent }, { text }] = await this.page.evaluate(async (id) => {
      const { client } = window.throng.app;
      return [await client.ask('agentNow', { agent: id }), await client.ask('listing', { agent: id })];
    }, id);
    const own = Object.fromEntries(
      text.split('\n').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
    );
    return { ...agent, own };
  }

  /** A file that a button of the panel saves. */
  async saved(name) {
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.page.getByRole('button', { name, exact: true }).click(),
    ]);
    const file = join(folder, `${Date.now()}-${download.suggestedFilename()}`);
    await download.saveAs(file);
    return file;
  }

  /** Saves what was done as an episode, which the native program runs again to the same hashes. */
  async replays() {
    await this.page.evaluate(() => window.throng.app.forward());
    await this.rest();
    const { hash, step } = await this.hash();
    const file = await this.saved('save the episode');
    const text = readFileSync(file, 'utf8');
    const whole = JSON.parse(text);
    const scene = whole.pack ? JSON.parse(whole.scene) : whole;
    assert.deepEqual(scene.marks.at(-1), { step, hash });
    const events = scene.events.filter((event) => event.step !== undefined);
    const deeds = await this.page.evaluate((step) => window.throng.app.log.filter((d) => d.step < step).length, step);
    assert.ok(events.length >= deeds, `${events.length} events of ${deeds} deeds`);
    assert.match(native('replay', file), /all the same/);
    return scene;
  }

  /** Until nothing is asked of the engine. */
  async rest() {
    await this.until(() => !window.throng.app.busy && !window.throng.app.clock.playing);
  }

  hash() {
    return this.page.evaluate(() => window.throng.app.client.ask('hash', {}));
  }

  /** What the page knows of itself. */
  state() {
    return this.page.evaluate(() => {
      const { app, settings } = window.throng;
      const { position } = app.stage.camera;
      const camera = [position.x, position.y, position.z];
      const { step, count, done } = app.frame ?? {};
      return { step, count, done, playing: app.clock.playing, chosen: app.chosen, camera, settings: settings.state };
    });
  }

  async shot(name) {
    if (!process.env.TH_SHOTS) return;
    mkdirSync(process.env.TH_SHOTS, { recursive: true });
    await this.page.screenshot({ path: join(process.env.TH_SHOTS, `${name}.png`) });
  }

  clean() {
    assert.deepEqual(this.wrong, []);
  }

  async close() {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}
