/* test.mjs - runs the tests of the page.
 *
 *   node test.mjs [unit|browser] [NAME]
 *
 * Unit tests are bundled for node. Those in the browser need TH_PROGRAM, the native program; they write their pictures
 * to TH_SHOTS and what came of each, as lines "file:test <tab> pass|fail|skip <tab> page", to TH_RESULTS where they are
 * set. NAME runs only files that have it in their names.
 */
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { appendFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [, , what = '', only = ''] = process.argv;

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

/* The name of a test as a word: tools/conformance makes the same of the line below its mark. */
const word = (name) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/* The lines of TAP that are tests, not files. */
function keepResults(file, output) {
  if (!process.env.TH_RESULTS) return;
  const lines = [];
  for (const [, not, name, said] of output.matchAll(/^ *(not )?ok \d+ - (.*?)( # [A-Z]{4}\b.*)?$/gm))
    if (!name.endsWith(basename(file)))
      lines.push(
        `page/tests/browser/${basename(file)}:${word(name)}\t${said ? 'skip' : not ? 'fail' : 'pass'}\tpage\n`,
      );
  appendFileSync(process.env.TH_RESULTS, lines.join(''));
}

/* One file after the other: they share the machine's one graphics processor, which is a processor. */
function run(file) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--test', '--test-reporter=tap', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (bytes) => {
      output += bytes;
      process.stdout.write(bytes);
    });
    child.on('close', (status) => {
      if (file.includes('browser')) keepResults(file, output);
      resolve(status === 0);
    });
  });
}

const files = [...(what === 'browser' ? [] : await unit()), ...(what === 'unit' ? [] : browser())];
let good = true;
for (const file of files.filter((file) => basename(file).includes(only))) good = (await run(file)) && good;
process.exit(good ? 0 : 1);
