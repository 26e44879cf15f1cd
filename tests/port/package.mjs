// node tests/port/package.mjs PACKAGE PACKS PROGRAM - the npm package in node: its example, and each call on flat and mesh
// ground, with hashes compared with those of the native program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, packs, program] = process.argv.slice(2).map((path) => resolve(path));
const { start, ThrongError } = await import(pathToFileURL(join(folder, 'throng.mjs')));
const out = mkdtempSync(join(tmpdir(), 'throng-package-'));

function nativeHash(pack, duration) {
  const folder = join(out, 'native');
  execFileSync(program, ['run', pack, '--duration', String(duration), '--out', folder, '--no-figures', '--no-expect', '--quiet']);
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).hash;
}

function checkRun(engine, name) {
  const pack = join(packs, `${name}.pack`);
  const run = engine.run(readFileSync(pack));
  const about = run.about();
  run.step(20);
  const hash = run.hash();
  assert.equal(hash, nativeHash(pack, 20 * about.dt), name);

  const frame = run.frame();
  assert.ok(frame.count > 0 && frame.point.length === 3 * frame.count && frame.state.length === frame.count);
  assert.ok(frame.point.every(Number.isFinite));
  const there = frame.state.findIndex((state) => state !== 0); // some come later
  const agent = frame.id[there];
  assert.match(run.agentText(agent), /^radius /m);
  assert.equal(run.nearest([...frame.point.slice(3 * there, 3 * there + 3)], 0.01), agent);

  const ground = run.ground();
  assert.equal(ground.kind === 'mesh', about.mesh);
  assert.ok(ground.kind === 'mesh' ? ground.corners.length / 3 === ground.blocked.length : ground.walls.length > 0);
  const goal = about.goals[0].id;
  const field = run.field(goal, frame.radius[0]);
  const leads = field.filter((_, i) => i % 6 === 5).reduce((sum, one) => sum + one, 0);
  assert.ok(leads > 0 && field.length / 6 === (ground.kind === 'mesh' ? ground.blocked.length : ground.clearance.length));
  const drawing = run.draw(1 + 16);
  assert.ok(drawing.lines.length + drawing.triangles.length > 0 && drawing.discs.length / 8 >= frame.count);

  run.trace(agent);
  run.step(10);
  const later = run.hash();
  assert.ok(run.traces(agent).length > 0);
  run.goTo(20);
  assert.equal(run.hash(), hash);
  run.goTo(30);
  assert.equal(run.hash(), later);

  const population = about.populations[0];
  run.do({ dismiss: population });
  run.step(2);
  assert.ok(run.frame().count < frame.count);
  assert.equal(run.log().length, 1);
  assert.throws(() => run.do({ opne: 'door' }), (error) => error instanceof ThrongError && /opne/.test(error.message));
  run.free();
}

const engine = await start();
checkRun(engine, 'park');
checkRun(engine, 'building');
checkRun(engine, 'notch');
assert.throws(() => engine.run('{"version": 1,\n "nmae": 2}'), /nmae/);
assert.throws(() => engine.run(''), ThrongError);
// There are no files: what a scene names is told by its name, and the next scene is none the worse for it.
for (const name of ['notch', 'building'])
  assert.throws(() => engine.run(readFileSync(join('scenes', `${name}.json`))), (error) => error instanceof ThrongError && /plans/.test(error.message));
checkRun(engine, 'corridor');
const tables = engine.run(readFileSync(join(packs, 'corridor.pack'))).tables();
assert.ok(tables.models.some((model) => model.name === 'orca' && model.params.length > 3));
assert.ok(tables.people.length > 10 && tables.traces.length > 10 && tables.draw.length === 10);
await assert.rejects(start(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 99])), ThrongError);

const said = execFileSync(process.execPath, [join(folder, 'example.mjs')], { encoding: 'utf8' }).trim().split('\n');
assert.match(said.at(-1), /^all out after \d+\.\d s, hash [0-9a-f]{16}$/);
rmSync(out, { recursive: true });
console.log('the package is good');
