/* The hand on meshes and in models' own views: hills, a planet, a building; pursuit, areas, places with graphs, markers
 * by owner. Every test ends with the episode, which the native program runs again to the same hashes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, makePage } from './browser.mjs';

let browser;
before(async () => (browser = await Browser.open()));
after(async () => browser?.close());

const choose = (...ids) => browser.page.evaluate((ids) => window.throng.app.choose(ids), ids);
const chosen = () => browser.page.evaluate(() => window.throng.app.chosenAll);
const goTo = async (step) => {
  await browser.page.evaluate((step) => window.throng.app.goTo(step), step);
  await browser.rest();
};
const where = (id) =>
  browser.page.evaluate((id) => {
    const { app } = window.throng;
    return Array.from(app.frame.point.slice(3 * app.rowOf(id), 3 * app.rowOf(id) + 3));
  }, id);
const pick = async (root, name, value) => {
  const at = browser.page.locator(`${root} [data-name="${name}"]`).first();
  await at.waitFor();
  if ((await at.evaluate((at) => at.tagName)) === 'SELECT') await at.selectOption(value);
  else {
    await at.fill(String(value));
    await at.press('Tab');
  }
};
const overlay = (act) => browser.page.evaluate(act);
/** Corners of lines that are drawn over the scene. */
const strokes = () =>
  browser.page.evaluate(() => {
    const { group } = window.throng.app.overlays;
    return group.children.filter((c) => c.isLineSegments).reduce((n, c) => n + c.geometry.attributes.position.count, 0);
  });

for (const [name, middle, radius] of [
  ['terrain', [30, 30], 3],
  ['planet', null, 2],
  ['building', [12, 3], 1],
])
  test(`${name}: agents, goals, obstacles, doors and places by the mouse, and the same hash natively`, async () => {
    await browser.goTo(makePage(`scenes/${name}.json`));
    /* Pixels of the middle: on a planet its near side, which the camera has in front of it. */
    const centre = middle ? await browser.pixel(...middle, name === 'building' ? 0 : 2) : [560, 400];
    const [x, y] = centre;
    const at = await browser.place(x, y);
    assert.ok(at, 'the ray meets the ground');
    await browser.take('agents');
    await browser.drag([[x, y]]);
    const [id] = await chosen();
    const stands = await where(id);
    assert.ok(Math.hypot(...stands.map((value, k) => value - at[k])) < 0.5, `${stands} is not ${at}`);
    await browser.take('goal');
    await pick('#options', 'shape', 'point');
    await browser.drag([[x + 30, y + 10]]);
    const goal = (await browser.about()).goals.at(-1);
    await browser.take('choose');
    await choose(id);
    await browser.page.locator('#part-doings').evaluate((at) => (at.open = true));
    await pick('#card', 'goal 1', goal.name);
    await browser.until((name) => window.throng.app.log.at(-1).event.change?.route?.[0] === name, goal.name);
    await browser.rest();
    await browser.take('obstacle');
    await pick('#options', 'shape', 'disc');
    await browser.drag([
      [x - 40, y + 20],
      [x - 40 + 8 * radius, y + 20],
    ]);
    await browser.take('door');
    await browser.drag([
      [x - 40, y - 20],
      [x - 40 + 8 * radius, y - 20],
    ]);
    await goTo(3);
    const barriers = await browser.page.evaluate(() => window.throng.app.barriers.map(({ name }) => name));
    assert.ok(barriers.includes('obstacle 1') && barriers.includes('door 1'), String(barriers));
    await browser.take('move');
    await choose(id);
    const from = await where(id);
    const body = await browser.pixel(from[0], from[1], from[2] + 0.3);
    await browser.drag([body, [body[0] + 12, body[1] + 12]]);
    assert.ok('place' in (await browser.last()), JSON.stringify(await browser.last()));
    await browser.shot(`do-${name}`);
    await goTo(20);
    await browser.replays();
    browser.clean();
  });

/* shows: BIO-64 */
test('who pursues or flees whom is dragged from one to the other', async () => {
  await browser.goTo(makePage('scenes/biocrowds/pursuit.json'));
  await browser.take('agents');
  await pick('#options', 'model', 'biocrowds');
  await pick('#options', 'guide', 'hunt');
  await browser.draw([[18, 6]]);
  const [hunter] = await chosen();
  await browser.draw([[28, 25]]);
  const [third] = await chosen();
  const [a, b] = [await where(hunter), await where(third)];
  await browser.take('link');
  await browser.draw([
    [a[0], a[1], 0.8],
    [b[0], b[1], 0.8],
  ]);
  const links = (await browser.agent(hunter)).links;
  assert.ok(
    links.some(({ role, agent }) => role === 'target' && agent === third),
    JSON.stringify(links),
  );
  await pick('#options', 'who is dragged', 'flees from (pursuer)');
  await browser.draw([
    [b[0], b[1], 0.8],
    [a[0], a[1], 0.8],
  ]);
  assert.deepEqual((await browser.agent(third)).links, [{ role: 'pursuer', agent: hunter }]);
  await overlay(() => window.throng.settings.drawing.controllers.find((c) => c.property === 'links').setValue(true));
  await browser.until(() => window.throng.app.overlays.group.children.length > 0);
  await browser.shot('do-pursuit');
  await goTo(90);
  const far = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]);
  const gap = far(await where(hunter), await where(third));
  assert.ok(gap < far(a, b) - 1, `the hunter comes nearer: ${gap} of ${far(a, b)}`);
  await browser.replays();
  browser.clean();
});

/* shows: BIO-50, BIO-63 */
test('an area that is drawn is filled by a group', async () => {
  await browser.goTo(makePage('scenes/biocrowds/formation.json'));
  const { groups, populations } = await browser.about();
  await browser.take('area');
  await pick('#options', 'population', populations[0]);
  await pick('#options', 'shape', 'free');
  const box = await browser.page.evaluate(() => window.throng.app.cameras.box);
  const [x, y] = [(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2];
  const on = (angle, r) => [x + r * Math.cos(angle), y + 0.6 * r * Math.sin(angle)];
  const size = 0.25 * Math.min(box.max.x - box.min.x, box.max.y - box.min.y);
  await browser.draw([...Array(24).keys()].map((k) => on((k * Math.PI) / 12, size)));
  const event = (await browser.last()).group;
  assert.ok(event.area[0].polygon.length >= 6 && event.area[0].polygon.length <= 24, JSON.stringify(event));
  assert.equal((await browser.about()).groups.length, groups.length + 1);
  const name = (await browser.about()).groups.at(-1).name;
  await browser.page.evaluate((name) => window.throng.settings.setMarkers(name), name);
  await browser.until(() => window.throng.app.overlays.group.children.some((child) => child.isPoints));
  await goTo(150);
  await browser.shot('do-area');
  await browser.replays();
  browser.clean();
});

/* shows: STEER-93 */
test('targets of a parameter are dragged, the graphs of their forces edited, their circles shown', async () => {
  await browser.goTo(makePage('scenes/steering/force_function.json'));
  const id = await browser.page.evaluate(() => window.throng.app.frame.id[0]);
  await browser.take('choose');
  await choose(id);
  await browser.until(() => window.throng.app.overlays.group.children.length > 0);
  assert.ok((await strokes()) >= 4 * 96, 'circles at 15, 20, 35 and 40 m');
  await browser.page.locator('#part-model').evaluate((at) => (at.open = true));
  const knob = browser.page.locator('svg.graph circle').nth(2);
  await knob.focus();
  await browser.page.keyboard.press('ArrowUp');
  await browser.until(() => window.throng.app.log.length === 1);
  await browser.rest();
  const read = async () => (await browser.agent(id)).params.target_functions;
  assert.match(await read(), /20 1\.1 1/);
  await browser.until(() => /1\.1$/.test(document.querySelectorAll('svg.graph circle')[2]?.ariaLabel ?? ''));
  const dot = browser.page.locator('svg.graph circle').nth(1);
  await dot.scrollIntoViewIfNeeded();
  const from = await dot.boundingBox();
  await browser.drag([
    [from.x + from.width / 2, from.y + from.height / 2],
    [from.x + from.width / 2, from.y + from.height / 2 - 20],
  ]);
  assert.doesNotMatch(await read(), /15 -1 0/);
  await browser.shot('do-graph');
  await browser.take('move');
  await browser.draw([
    [0, 0],
    [6, 5],
  ]);
  const [x, y] = (await browser.agent(id)).params.targets.split(/[ ;]+/).map(Number);
  assert.ok(Math.hypot(x - 6, y - 5) < 0.5, `${x} ${y}`);
  const where0 = await where(id);
  await goTo(20);
  assert.notDeepEqual(await where(id), where0);
  await browser.replays();
  browser.clean();
});

/* shows: STEER-95 */
test('every tick: previous velocity, the force of each steering and the new velocity', async () => {
  const id = await browser.page.evaluate(() => window.throng.app.frame.id[0]);
  await browser.take('choose');
  await choose(id);
  await browser.page.evaluate(() => window.throng.settings.setTraces(true));
  await browser.page.evaluate(() => window.throng.settings.setTrails(true));
  await browser.page.evaluate(() => window.throng.app.forward());
  await browser.rest();
  assert.ok((await browser.page.evaluate(() => window.throng.app.trails.lines.geometry.drawRange.count)) > 0, 'paths');
  const read = () => browser.page.evaluate(() => window.throng.app.traces.items);
  await browser.until(() => window.throng.app.traces.items.length > 2);
  const items = await read();
  for (const name of ['previous', 'target', 'new'])
    assert.ok(
      items.some((item) => item.source === 'steering' && item.name === name),
      name,
    );
  const place = (list) => list.find(({ name }) => name === 'new').at;
  assert.match(await browser.page.textContent('#card table'), /steering: target/);
  await browser.page.evaluate(() => window.throng.app.forward());
  await browser.rest();
  await browser.until(
    (was) => JSON.stringify(window.throng.app.traces.items.find(({ name }) => name === 'new')?.at) !== was,
    JSON.stringify(place(items)),
  );
  await browser.shot('do-forces');
  browser.clean();
});

/* shows: BIO-68 */
test('markers by owner, lines to them, personal circles, trees, the circle of an escape, weights', async () => {
  await browser.goTo(makePage('scenes/biocrowds/escape.json'));
  await browser.page.evaluate(() => window.throng.settings.setTraces(true));
  await browser.page.getByLabel('of everybody').click();
  await goTo(12);
  await browser.until(() => new Set(window.throng.app.traces.items.map(({ agent }) => agent)).size > 1);
  const names = await browser.page.evaluate(() => [...new Set(window.throng.app.traces.items.map(({ name }) => name))]);
  for (const name of ['own markers', 'tree', 'key', 'area']) assert.ok(names.includes(name), `${name}: ${names}`);
  const before = await strokes();
  await browser.page.getByLabel('lines to its points').click();
  await browser.until((n) => window.throng.app.overlays.group.children.length > n, before ? 1 : 0);
  const lines = await strokes();
  assert.ok(lines > before + 20);
  await browser.page.evaluate(() => window.throng.settings.setCircles('biocrowds.radius'));
  const agents = (await browser.state()).count;
  await browser.until(
    ([n]) => {
      const { group } = window.throng.app.overlays;
      return group.children.some((c) => c.isLineSegments && c.geometry.attributes.position.count >= n);
    },
    [lines + 96 * agents],
  );
  await browser.shot('do-trees');
  await browser.goTo(makePage('scenes/biocrowds_door.json'));
  await browser.page.evaluate(() => window.throng.settings.setTraces(true));
  await browser.page.getByLabel('of everybody').click();
  await browser.page.getByLabel('lines to its points').click();
  await browser.page.evaluate(() => window.throng.settings.setCircles('biocrowds.radius'));
  const ink = () =>
    browser.page.evaluate(() => {
      const { traces } = window.throng.app;
      return [
        new Set(traces.items.filter(({ name }) => name === 'own markers').map(({ agent }) => agent)).size,
        new Set(Array.from(traces.group.children.at(-1)?.geometry.attributes.color.array ?? [])).size,
      ];
    });
  await goTo(22);
  await browser.until(() => window.throng.app.traces.items.length > 500);
  const [owners, inks] = await ink();
  assert.ok(owners > 20 && inks > 20, `${owners} owners in ${inks} inks`);
  await browser.shot('do-markers');
  browser.clean();
});

/* shows: BIO-65 */
test('steps of 1/30 s are played at 30 in a second', async () => {
  await browser.page.setViewportSize({ width: 420, height: 320 }); /* software drawing of a large picture is no test */
  await browser.goTo(makePage('scenes/biocrowds/pursuit.json'));
  const from = await browser.page.evaluate(() => {
    const { app } = window.throng;
    app.play();
    return app.frame.step;
  });
  const steps = await browser.page.evaluate(async () => {
    const { app } = window.throng;
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    await wait(500);
    const [begin, at] = [performance.now(), app.clock.shown];
    await wait(10000);
    return ((app.clock.shown - at) / (performance.now() - begin)) * 10000;
  });
  await browser.page.evaluate(() => window.throng.app.pause());
  assert.equal(from, 0);
  assert.ok(Math.abs(steps - 300) <= 6, `${steps} steps in 10 s`);
  browser.clean();
});
