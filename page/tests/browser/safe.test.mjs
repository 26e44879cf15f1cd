/* A scene is data: names cannot become markup or script, a bad scene is an error in words, a long computation can be
 * stopped. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser, folder, makePage, root } from './browser.mjs';

let browser;
before(async () => (browser = await Browser.open(390, 780)));
after(async () => browser?.close());

const EVIL = '</script><script>window.evil = 1</script><img src=x onerror="window.evil = 2">';

/** A small scene, changed. */
function scene(name, change) {
  const text = JSON.parse(readFileSync(join(root, 'scenes/orca_door.json'), 'utf8'));
  delete text.$schema;
  delete text.expect;
  change(text);
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(text));
  return file;
}

test('names and texts stay text', async () => {
  const file = scene('evil', (text) => {
    text.name = EVIL;
    text.description = EVIL;
    for (const goal of text.goals) goal.name = EVIL;
    for (const crowd of text.populations) (crowd.name = EVIL), (crowd.route = [EVIL]);
    delete text.measure;
    delete text.events;
  });
  await browser.goTo(makePage(file));
  await browser.page.evaluate(() => window.throng.app.goTo(5));
  await browser.page.evaluate(() => window.throng.app.choose(window.throng.app.frame.id[0]));
  assert.equal(await browser.page.evaluate(() => window.evil), undefined);
  assert.equal(await browser.page.textContent('#name'), EVIL);
  assert.equal(await browser.page.evaluate(() => document.images.length), 0);
  browser.clean();
});

test('a wide bar and no sideways scrolling on a telephone', async () => {
  assert.equal(await browser.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  for (const id of ['play', 'line', 'help', 'fold']) {
    const box = await browser.page.locator(`#${id}`).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, id);
  }
  await browser.shot('phone');
});

test('every control has a name', async () => {
  const nameless = await browser.page.evaluate(() =>
    [...document.querySelectorAll('button, input, select')]
      .filter((at) => !at.getAttribute('aria-label') && !at.getAttribute('aria-labelledby') && !at.textContent.trim())
      .map((at) => at.outerHTML),
  );
  assert.deepEqual(nameless, []);
});

test('a scene that is wrong is told with its place, and the page goes on', async () => {
  const wrong = JSON.stringify({ version: 1, name: 'x', ground: { outline: 7 } });
  await browser.page.evaluate((text) => window.throng.app.load(new TextEncoder().encode(text)), wrong);
  const said = await browser.page.textContent('#trouble');
  assert.match(said, /ground\/outline/);
  for (const text of ['', '{', '['.repeat(100000), '{"version": 1e999}', `{"name": "${'x'.repeat(1e6)}"}`]) {
    await browser.page.evaluate((text) => window.throng.app.load(new TextEncoder().encode(text)), text);
    assert.equal(await browser.page.isVisible('#trouble'), true, text.slice(0, 30));
  }
  const good = readFileSync(join(root, 'scenes/orca_door.json'), 'utf8');
  await browser.page.evaluate((text) => window.throng.app.load(new TextEncoder().encode(text)), good);
  assert.equal(await browser.page.isVisible('#trouble'), false);
  browser.clean();
});

test('a long computation can be stopped', async () => {
  await browser.page.evaluate(() => void window.throng.app.goTo(1e7));
  await browser.page.evaluate(() => window.throng.app.stop());
  assert.equal(await browser.page.evaluate(() => window.throng.app.frame.step), 0);
  await browser.page.click('#forward');
  await browser.rest();
  assert.equal(await browser.page.evaluate(() => window.throng.app.frame.step), 1);
  browser.clean();
});

test('the policy forbids every connection', async () => {
  const tried = await browser.page.evaluate(async () => {
    const wrong = [];
    for (const url of ['data:text/plain,x', 'http://127.0.0.1:9/x', 'blob:null/x'])
      await fetch(url).then(
        () => wrong.push(url),
        () => {},
      );
    return wrong;
  });
  assert.deepEqual(tried, []);
});
