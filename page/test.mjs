/* test.mjs - runs the tests of the page.
 *
 *   node test.mjs [unit|browser]
 *
 * Unit tests are bundled for node. Those in the browser need TH_PROGRAM, the native program, and TH_ENGINE, the folder
 * of throng.js and throng.wasm; they write their pictures to TH_SHOTS where it is set.
 */
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

async function unit() {
  const entryPoints = readdirSync(join(here, 'tests/unit')).map((name) => join(here, 'tests/unit', name));
  const outdir = join(here, 'build/tests');
  const names = { '.js': '.mjs' };
  await build({
    entryPoints,
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir,
    outExtension: names,
    target: 'node18',
  });
  return readdirSync(outdir).map((name) => join(outdir, name));
}

function browser() {
  const folder = join(here, 'tests/browser');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => join(folder, name));
}

const what = process.argv[2];
const files = [...(what === 'browser' ? [] : await unit()), ...(what === 'unit' ? [] : browser())];
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...files], { stdio: 'inherit' });
process.exit(status ?? 1);
