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
    it.page.setDefaultTimeout(120000); /* software drawing on a busy machine is slow */
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
    const end = Date.now() + 120000;
    while (!(await this.page.evaluate(test, value))) {
      assert.ok(Date.now() < end, `never true: ${test}`);
      await this.page.waitForTimeout(50);
    }
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
