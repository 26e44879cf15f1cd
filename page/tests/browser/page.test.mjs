/* The page in a real browser: every control of the bar, the keys, the panel and the mouse, checked by the engine's
 * state, and the same hash as the native program after 100 steps, on flat ground and on meshes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, makePage, nativeHash } from './browser.mjs';

let browser;
before(async () => (browser = await Browser.open()));
after(async () => browser?.close());

const press = (key) => browser.page.keyboard.press(key);
const near = (a, b) => Math.hypot(...a.map((value, k) => value - b[k])) < 1e-3;

for (const [name, dt] of [
  ['planet', 0.1],
  ['statue', 0.1],
  ['terrain', 0.1],
  ['building', 0.1],
  ['park', 0.1],
])
  test(`${name}: 100 steps in the page have the hash of the program`, async () => {
    const scene = `scenes/${name}.json`;
    await browser.goTo(makePage(scene));
    await browser.page.evaluate(() => window.throng.app.goTo(100));
    const { hash, step } = await browser.hash();
    assert.equal(step, 100);
    assert.equal(hash, nativeHash(scene, 100, dt));
    await browser.shot(name);
    browser.clean();
  });

/* What follows goes on with the park. */

test('one step forward, one back, to the start: buttons', async () => {
  const before = await browser.hash();
  await browser.page.click('#forward');
  await browser.rest();
  assert.equal((await browser.state()).step, 101);
  assert.notEqual((await browser.hash()).hash, before.hash);
  await browser.page.click('#back');
  await browser.rest();
  assert.deepEqual(await browser.hash(), before);
  await browser.page.click('#restart');
  await browser.rest();
  assert.equal((await browser.state()).step, 0);
});

test('play and pause: by button and by the space bar', async () => {
  await browser.page.click('#play');
  assert.equal((await browser.state()).playing, true);
  await browser.until(() => window.throng.app.frame.step > 3);
  await browser.page.click('#play');
  await browser.rest();
  const stood = await browser.state();
  await browser.page.waitForTimeout(400);
  assert.equal((await browser.state()).step, stood.step);
  await browser.page.focus('#stage');
  await press('Space');
  await browser.until((step) => window.throng.app.frame.step > step, stood.step);
  await press('Space');
  await browser.rest();
});

test('the time line goes anywhere, and the same step is the same', async () => {
  const line = browser.page.locator('#line');
  await line.fill('60');
  await browser.rest();
  const first = await browser.hash();
  assert.equal(first.step, 60);
  await line.fill('90');
  await browser.rest();
  await line.fill('60');
  await browser.rest();
  assert.deepEqual(await browser.hash(), first);
});

test('speeds: from the list and by key', async () => {
  await browser.page.selectOption('#speed', '4');
  assert.equal(await browser.page.evaluate(() => window.throng.app.clock.speed), 4);
  await browser.page.focus('#stage');
  await press('[');
  assert.equal(await browser.page.evaluate(() => window.throng.app.clock.speed), 2);
  await press('[');
});

test('a click chooses who stands there, Escape nobody, N and P go on', async () => {
  await browser.page.evaluate(() => window.throng.app.goTo(200));
  await browser.rest();
  const at = await browser.page.evaluate(() => {
    const { app } = window.throng;
    const { frame, stage } = app;
    const row = frame.state.findIndex((state) => state === 1);
    const p = stage.camera.position.clone().fromArray(frame.point, 3 * row);
    p.z += 1;
    p.project(stage.camera);
    return { x: ((p.x + 1) / 2) * innerWidth, y: ((1 - p.y) / 2) * innerHeight, id: frame.id[row] };
  });
  await browser.page.mouse.click(at.x, at.y);
  assert.notEqual((await browser.state()).chosen, 0);
  assert.equal(await browser.page.isVisible('#card'), true);
  const first = (await browser.state()).chosen;
  await browser.page.focus('#stage');
  await press('n');
  assert.notEqual((await browser.state()).chosen, first);
  await press('p');
  assert.equal((await browser.state()).chosen, first);
  await press('Escape');
  assert.equal((await browser.state()).chosen, 0);
});

test('cameras: keys turn, move and come nearer; from above; behind the chosen one', async () => {
  await browser.page.focus('#stage');
  for (const key of ['ArrowLeft', 'ArrowUp', 'Shift+ArrowRight', '+', '-']) {
    const { camera } = await browser.state();
    await press(key);
    assert.ok(!near(camera, (await browser.state()).camera), key);
  }
  await press('t');
  const top = await browser.page.evaluate(() => {
    const { camera } = window.throng.app.stage;
    return camera.position.clone().set(0, 0, -1).transformDirection(camera.matrixWorld).z;
  });
  assert.ok(top < -0.99, String(top));
  await press('n');
  await press('f');
  const before = (await browser.state()).camera;
  await browser.page.click('#forward');
  await browser.rest();
  assert.ok(!near(before, (await browser.state()).camera), 'the camera follows');
  await browser.page.focus('#stage');
  await press('o');
  await press('0');
  await press('Escape');
});

test('the mouse turns the picture', async () => {
  const { camera } = await browser.state();
  await browser.page.mouse.move(500, 400);
  await browser.page.mouse.down();
  await browser.page.mouse.move(620, 440, { steps: 4 });
  await browser.page.mouse.up();
  assert.ok(!near(camera, (await browser.state()).camera));
});

test('colours, trails, traces, names, walls and figures', async () => {
  await browser.page.focus('#stage');
  const colours = () =>
    browser.page.evaluate(() => Array.from(window.throng.app.people.column.colour.array.slice(0, 30)));
  const was = await colours();
  await press('c');
  assert.notDeepEqual(await colours(), was);
  await press('l');
  await browser.page.click('#forward');
  await browser.rest();
  assert.ok((await browser.page.evaluate(() => window.throng.app.trails.lines.geometry.drawRange.count)) > 0);
  await browser.page.focus('#stage');
  await press('l');
  await press('n');
  await press('d');
  await browser.page.click('#forward');
  await browser.rest();
  await browser.until(() => window.throng.app.traces.items.length > 0);
  await browser.shot('traces');
  await browser.page.focus('#stage');
  await press('d');
  await browser.page.getByLabel('walls [m]').first().fill('2');
  await press('Enter');
  assert.equal(await browser.page.evaluate(() => window.throng.app.wallHeight), 2);
  await browser.page.getByLabel('people').selectOption('discs');
  assert.equal(await browser.page.evaluate(() => window.throng.app.people.meshes[0].visible), false);
  await browser.page.getByLabel('names').click();
  await browser.until(() => document.getElementById('labels').hidden);
});

test('dark and light, help, settings', async () => {
  const background = () => browser.page.evaluate(() => window.throng.app.stage.scene.background.getHex());
  await browser.page.getByLabel('theme').selectOption('dark');
  const dark = await background();
  await browser.page.getByLabel('theme').selectOption('light');
  assert.notEqual(await background(), dark);
  await browser.page.focus('#stage');
  await press('h');
  assert.equal(await browser.page.isVisible('#keys'), true);
  await press('Escape');
  assert.equal(await browser.page.isVisible('#keys'), false);
  await browser.page.click('#fold');
  assert.equal(await browser.page.isVisible('#panel'), false);
  await browser.page.click('#fold');
});

test('another seed is another crowd, the same seed the same one', async () => {
  const first = await browser.page.evaluate(() => window.throng.app.restart(7).then(() => window.throng.app.goTo(30)));
  assert.equal(first, undefined);
  const seven = await browser.hash();
  await browser.page.evaluate(() => window.throng.app.restart(8).then(() => window.throng.app.goTo(30)));
  assert.notEqual((await browser.hash()).hash, seven.hash);
  await browser.page.evaluate(() => window.throng.app.restart(7).then(() => window.throng.app.goTo(30)));
  assert.deepEqual(await browser.hash(), seven);
});

test('nothing went wrong, nothing was asked for', () => browser.clean());
