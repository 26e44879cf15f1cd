/* The hand on flat ground: every tool, every panel that changes something, undo, files. What was done is saved as an
 * episode, which the native program runs again to the same hashes: so the page shows what the engine did. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser, folder, makePage, native } from './browser.mjs';

let browser;
before(async () => (browser = await Browser.open()));
after(async () => browser?.close());

const press = (key) => browser.page.keyboard.press(key);
const near = (a, b, within) => assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);
const focus = () => browser.page.focus('#stage');
const step = async () => {
  await browser.page.evaluate(() => window.throng.app.forward());
  await browser.rest();
};
/** Opens a part of the card of who is chosen. */
const part = (name) => browser.page.locator(`#part-${name}`).evaluate((at) => (at.open = true));
/** Sets a control of the card or of a tool by the name of its row. */
async function set(root, name, value) {
  const before = (await browser.deeds()).length;
  const at = browser.page.locator(`${root} [data-name="${name}"]`).first();
  await at.waitFor();
  if (typeof value === 'boolean') await at.setChecked(value);
  else if ((await at.evaluate((at) => at.tagName)) === 'SELECT') await at.selectOption(value);
  else {
    await at.fill(String(value));
    await at.press('Tab');
  }
  if (!root.includes('options')) await browser.until((n) => window.throng.app.log.length > n, before);
  await browser.rest();
}
const choose = (...ids) => browser.page.evaluate((ids) => window.throng.app.choose(ids), ids);
const chosen = () => browser.page.evaluate(() => window.throng.app.chosenAll);
const where = (id) =>
  browser.page.evaluate((id) => {
    const { app } = window.throng;
    return Array.from(app.frame.point.slice(3 * app.rowOf(id), 3 * app.rowOf(id) + 3));
  }, id);

/** Somebody where no panel lies over the picture, and no handle or other body under the pointer. */
const inSight = () =>
  browser.page.evaluate(() => {
    const { app, editor } = window.throng;
    const { id, point, state, count } = app.frame;
    const at = (i) => [point[3 * i], point[3 * i + 1]];
    const away = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
    const bodies = [...Array(count).keys()];
    const alone = (i) =>
      editor.handles.every((handle) => away(handle.at, at(i)) > 0.6) &&
      bodies.every((k) => k === i || away(at(k), at(i)) > 0.6);
    const seen = (i) => state[i] !== 0 && at(i)[0] > 7 && at(i)[0] < 11.5 && Math.abs(at(i)[1] - 6) < 4;
    return id[bodies.find((i) => seen(i) && alone(i)) ?? bodies.find(seen)];
  });

test('the strip of tools: each by its button and by its key', async () => {
  await browser.goTo(makePage('scenes/orca_door.json'));
  await focus();
  await press('t');
  const keys = { choose: 'q', move: 'm', agents: 'a', source: 'y', goal: 'e', obstacle: 'w', door: 'b', area: 'r' };
  for (const [id, key] of Object.entries({ ...keys, path: 'j', link: 'k', send: 'i', remove: 'x' })) {
    await browser.page.click(`#tool-${id}`);
    assert.equal(await browser.page.getAttribute(`#tool-${id}`, 'aria-pressed'), 'true');
    await focus();
    await press('q');
    await press(key);
    assert.equal(await browser.page.getAttribute(`#tool-${id}`, 'aria-pressed'), 'true', id);
    assert.equal(await browser.page.isVisible('#options'), id !== 'choose', id);
  }
});

/* shows: STEER-88, BIO-63 */
test('agents: a click sets where they start, a drag how they are turned, the panel their parameters', async () => {
  await browser.take('agents');
  await browser.draw([[14, 6]]);
  const one = await browser.last();
  near(one.enter.positions[0][0], 14, 0.05);
  near(one.enter.positions[0][1], 6, 0.05);
  await set('#options', 'goal', 'out');
  await set('#options', 'model', 'steering');
  await browser.page.getByText('parameters of steering').click();
  await set('#options', 'people_distance', 2.5);
  await browser.page.getByText('numbers of new agents').click();
  await set('#options', 'speed', 0.8);
  await set('#options', 'radius', 0.3);
  await browser.shot('do-agents');
  await browser.draw([
    [15, 8],
    [15, 10],
  ]);
  const [id] = await chosen();
  const now = await browser.agent(id);
  assert.equal(now.model, 'steering');
  assert.equal(now.params.people_distance, '2.5');
  assert.equal(now.own.speed, '0.8');
  assert.equal(now.own.radius, '0.3');
  assert.equal(now.route[0].goal, 'out');
  const [hx, hy] = now.own.heading.split(' ').map(Number);
  assert.ok(Math.abs(hx) < 0.05 && hy > 0.99, now.own.heading);
  await set('#options', 'count', 5);
  await browser.draw([
    [17, 4],
    [18.5, 4],
  ]);
  assert.equal((await chosen()).length, 5);
  await set('#options', 'count', 1);
  await browser.replays();
});

/* shows: BIO-63 */
test('goals of every form, sources, obstacles and doors are drawn', async () => {
  const forms = { free: 'polygon', rectangle: 'rectangle', disc: 'disc', line: 'line', point: 'point' };
  await browser.take('goal');
  for (const [form, key] of Object.entries(forms)) {
    await set('#options', 'shape', form);
    const end = form === 'point' ? [14, 5] : [15.5, 3.5];
    await browser.draw([[13.5, 2], [15.5, 2], end]);
    assert.ok(key in (await browser.last()).goal, form);
  }
  assert.equal((await browser.about()).goals.length, 6);
  await browser.take('source');
  await set('#options', 'shape', 'rectangle');
  await set('#options', 'rate', 3);
  await set('#options', 'goal', 'goal 5');
  await browser.draw([
    [13.5, 8.5],
    [16, 10.2],
  ]);
  await browser.take('obstacle');
  await set('#options', 'shape', 'disc');
  await browser.draw([
    [16, 6],
    [16.6, 6],
  ]);
  await browser.take('door');
  await set('#options', 'shape', 'rectangle');
  await browser.draw([
    [12, 5.2],
    [12.4, 6.8],
  ]);
  await step();
  await step();
  await browser.until(() => window.throng.app.barriers.length > 3);
  const barriers = await browser.page.evaluate(() => window.throng.app.barriers);
  assert.ok(barriers.some(({ name }) => name === 'obstacle 1'));
  assert.ok(barriers.some(({ name, door, closed }) => name === 'door 1' && door && closed));
  const before = (await browser.state()).count;
  await browser.page.evaluate(() => window.throng.app.goTo(20));
  assert.ok((await browser.state()).count > before, 'people come from the source');
  await browser.page.fill('#event', '{"open": "door 1"}');
  await browser.page.press('#event', 'Enter');
  await browser.until(() => 'open' in window.throng.app.log.at(-1).event);
  await browser.shot('do-things');
  const scene = await browser.replays();
  for (const kind of ['goal', 'source', 'obstacle', 'door', 'open', 'enter'])
    assert.ok(
      scene.events.some((event) => kind in event),
      kind,
    );
});

test('starts, goals, doors and paths are dragged; a path leads who follows it', async () => {
  await choose(0);
  await browser.take('path');
  await browser.draw([
    [7, 3],
    [7.5, 9],
    [9, 9],
    [10.5, 3],
  ]);
  const path = (await browser.about()).guides.find(({ name }) => name === 'path 1');
  assert.ok(path.points.length >= 3);
  await browser.take('move');
  await browser.draw([path.points[0], [8, 2]]);
  const moved = (await browser.about()).guides.find(({ name }) => name === 'path 1');
  near(moved.points[0][1], 2, 0.05);
  const goal = (await browser.about()).goals.find(({ name }) => name === 'goal 5');
  await browser.draw([goal.shape.points[0], [16.2, 10]]);
  const [x, y] = (await browser.about()).goals.find(({ name }) => name === 'goal 5').shape.points[0];
  near(x, 16.2, 0.05);
  near(y, 10, 0.05);
  await browser.draw([
    [16, 6],
    [16.2, 7.2],
  ]);
  assert.ok('obstacle' in (await browser.last()));
  const id = await inSight();
  const from = await where(id);
  await choose(id);
  await browser.draw([from, [15, 9]]);
  near((await where(id))[0], 15, 0.1);
  await browser.shot('do-move');
  await browser.take('choose');
  await part('doings');
  await set('#card', 'guide', 'path 1');
  assert.equal((await browser.agent(id)).guide, 'path 1');
  await browser.replays();
});

/* shows: BVP-90 */
test('undo goes back to the moment of a deed, redo makes it again; the same bits', async () => {
  await browser.take('choose');
  await browser.page.evaluate(() => window.throng.app.goTo(30));
  await browser.rest();
  const before = await browser.hash();
  await browser.page.fill('#event', '{"dismiss": "people"}');
  await browser.page.press('#event', 'Enter');
  await browser.until(() => 'dismiss' in window.throng.app.log.at(-1).event);
  await browser.rest();
  const after = await browser.hash();
  assert.notEqual(after.hash, before.hash);
  await browser.page.click('#restart');
  await browser.rest();
  await browser.page.click('#play');
  await browser.until(() => window.throng.app.frame.step > 2);
  await browser.page.click('#play');
  await browser.rest();
  await browser.page.evaluate(() => window.throng.app.goTo(33));
  await browser.rest();
  await browser.page.click('#undo');
  await browser.rest();
  assert.deepEqual(await browser.hash(), before);
  await browser.page.click('#redo');
  await browser.rest();
  assert.deepEqual(await browser.hash(), after);
  await focus();
  await press('u');
  await browser.until(() => !('dismiss' in window.throng.app.log.at(-1).event));
  await browser.rest();
  assert.deepEqual(await browser.hash(), before);
});

/* shows: STEER-96 */
test('choosing: a box, one more, words; what is chosen leaves', async () => {
  await browser.take('choose');
  const box = [await browser.pixel(7, 1), await browser.pixel(11.5, 11)];
  await browser.drag(box, { shift: true, deeds: 0 });
  await browser.until(() => window.throng.app.chosenAll.length > 3);
  const many = await chosen();
  const at = await where(await inSight());
  const pixel = await browser.pixel(at[0], at[1], 0.5);
  await browser.drag([pixel], { shift: true, deeds: 0 });
  await browser.until((n) => window.throng.app.chosenAll.length === n - 1, many.length);
  await browser.page.fill('#filter', 'model=orca population=people x<9');
  await browser.page.press('#filter', 'Tab');
  await browser.until(() => window.throng.app.chosenAll.length > 0);
  for (const id of await chosen()) assert.ok((await where(id))[0] < 9);
  const count = (await browser.state()).count;
  const gone = (await chosen()).length;
  await focus();
  await press('Delete');
  await browser.until((n) => window.throng.app.frame.count === n, count - gone);
  await browser.replays();
});

test('a click with the eraser removes an agent, a goal, an obstacle, a path', async () => {
  await browser.take('remove');
  const id = await inSight();
  const at = await where(id);
  await browser.draw([[at[0], at[1], 0.8]]);
  assert.deepEqual(await browser.last(), { leave: { agents: [id] } });
  await browser.draw([[8, 2]]);
  assert.deepEqual(await browser.last(), { remove_guide: 'path 1' });
  await browser.draw([[16.2, 7.2]]);
  assert.deepEqual(await browser.last(), { remove: 'obstacle 1' });
  await browser.replays();
});

/* shows: STEER-91 */
test('while it runs: own numbers, model, its parameters, people and route of who is chosen', async () => {
  await browser.goTo(makePage('scenes/orca_door.json'));
  await browser.page.evaluate(() => window.throng.app.goTo(20));
  const [a, b] = await browser.page.evaluate(() => Array.from(window.throng.app.frame.id.slice(0, 2)));
  await choose(a, b);
  await part('own');
  await set('#part-own', 'speed', 0.5);
  assert.deepEqual([(await browser.agent(a)).own.speed, (await browser.agent(b)).own.speed], ['0.5', '0.5']);
  await set('#part-own', 'collide', false);
  assert.equal((await browser.agent(a)).own.collide, '0');
  await part('people');
  await set('#part-people', 'time_gap', 2);
  assert.equal((await browser.agent(b)).people.time_gap, '2');
  await part('model');
  await browser.page.getByLabel('model', { exact: true }).selectOption('bvp');
  await browser.until(() => 'model' in (window.throng.app.log.at(-1).event.change ?? {}));
  await browser.rest();
  assert.equal((await browser.agent(b)).model, 'bvp');
  await set('#part-model', 'sweeps', 45);
  assert.deepEqual([(await browser.agent(a)).params.sweeps, (await browser.agent(b)).params.sweeps], ['45', '45']);
  await browser.shot('do-parameters');
  await browser.page.evaluate(() => window.throng.app.goTo(25));
  const scene = await browser.replays();
  assert.ok(scene.events.filter(({ change }) => change).length >= 5);
});

test('a value outside its range is told and changes nothing', async () => {
  const before = (await browser.deeds()).length;
  const speed = browser.page.locator('#card [data-name="speed"]').first();
  await speed.fill('-3');
  await speed.press('Tab');
  assert.match(await browser.page.locator('#part-own').textContent(), /expected at least 0/);
  assert.equal((await browser.deeds()).length, before);
  await browser.page.fill('#event', '{"open": "nowhere"}');
  await browser.page.press('#event', 'Enter');
  await browser.page.waitForSelector('#trouble:not([hidden])');
  assert.match(await browser.page.textContent('#trouble'), /expected the name of a door/);
  assert.equal((await browser.deeds()).length, before);
});

test('send: those who are chosen go where it was clicked', async () => {
  await browser.goTo(makePage('scenes/orca_door.json'));
  await focus();
  await press('t');
  const id = await inSight();
  await choose(id);
  await browser.take('send');
  await browser.draw([[15, 9]]);
  await browser.page.evaluate(() => window.throng.app.goTo(400));
  const [x, y] = await where(id);
  assert.ok(Math.hypot(x - 15, y - 9) < 1.5, `${x}, ${y}`);
  await browser.replays();
});

/* shows: STEER-89, STEER-90, STEER-96 */
test('files: scene with description, trajectories as a recording, agents, curves, picture; listing', async () => {
  await choose(await browser.page.evaluate(() => window.throng.app.frame.id[0]));
  await part('text');
  await browser.until(() => document.querySelector('#card pre').textContent.includes('orca.'));
  await browser.page.getByLabel('description').fill('what I tried');
  await press('Enter');
  const steps = (await browser.state()).step;
  const { hash } = await browser.hash();
  const scene = await browser.saved('save the scene');
  assert.equal(JSON.parse(readFileSync(scene, 'utf8')).description, 'what I tried');
  assert.match(native('check', scene), /good|ok|:/);
  const csv = await browser.saved('save the trajectories (CSV)');
  const recording = join(folder, 'kept.sqlite');
  native('convert', csv, recording);
  assert.match(native('info', recording), new RegExp(`frames +${steps + 1}`));
  assert.deepEqual(await browser.hash(), { hash, step: steps });
  const agents = readFileSync(await browser.saved('save everybody now (CSV)'), 'utf8')
    .trim()
    .split('\n');
  assert.equal(agents.length, 1 + (await browser.state()).count);
  await focus();
  await press('v');
  await step();
  await browser.page.click('#back');
  await browser.rest();
  assert.match(readFileSync(await browser.saved('save the curves (CSV)'), 'utf8'), /^time,in_the_world/);
  const picture = readFileSync(await browser.saved('save the picture'));
  assert.equal(picture.subarray(1, 4).toString(), 'PNG');
  await browser.page.locator('#file').setInputFiles(scene);
  await browser.until(
    () => window.throng.app.about?.description === 'what I tried' && window.throng.app.frame?.step === 0,
  );
  await browser.page.evaluate((steps) => window.throng.app.goTo(steps), steps);
  assert.deepEqual(await browser.hash(), { hash, step: steps });
});

test('nothing went wrong, nothing was asked for', () => browser.clean());
