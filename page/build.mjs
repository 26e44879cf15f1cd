/* build.mjs - makes the page: one HTML file with everything in it but a scene.
 *
 *   node build.mjs --engine DIR [--out FILE]
 *
 * DIR holds throng.js and throng.wasm. Scripts are bundled by esbuild; wasm and worker are compressed and written as
 * base64, which cannot become markup. The policy names the script and the style by their hashes and forbids the rest, so
 * the page can connect to nothing. `throng view` puts a packed scene where @SCENE@ stands.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));

function options() {
  const given = { engine: '', out: join(here, 'build', 'throng.html') };
  for (let i = 2; i < process.argv.length; i += 2) {
    const name = process.argv[i].replace(/^--/, '');
    if (!(name in given) || process.argv[i + 1] === undefined) {
      console.error(`build.mjs takes --engine DIR and --out FILE, found: ${process.argv[i]}`);
      process.exit(2);
    }
    given[name] = process.argv[i + 1];
  }
  return given;
}

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'eof',
    outdir: join(here, 'build'),
    write: false,
  });
  const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  return { script: text('.js').trim(), style: text('.css').trim() };
}

const digest = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString('base64');

/* Inside a script element only its end tag and the start of a comment matter; both can stand in string literals alone. */
const inert = (script) => script.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

async function main() {
  const given = options();
  const page = await bundle('src/main.ts');
  const worker = await bundle('src/engine/worker.ts');
  const script = inert(page.script);
  const policy = [
    `default-src 'none'`,
    `script-src ${digest(script)} 'wasm-unsafe-eval'`,
    `worker-src blob:`,
    `style-src ${digest(page.style)}`,
    `img-src data: blob:`,
    `font-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const glue = given.engine ? readFileSync(join(given.engine, 'throng.js'), 'utf8') : '';
  const wasm = given.engine ? packed(readFileSync(join(given.engine, 'throng.wasm'))) : '';
  const parts = {
    POLICY: policy,
    STYLE: page.style,
    ENGINE: wasm,
    WORKER: packed(Buffer.from(`${glue}\n${worker.script}`)),
    SCENE: '@SCENE@',
    PAGE: script,
  };
  const html = readFileSync(join(here, 'index.html'), 'utf8').replace(/@([A-Z]+)@/g, (_, name) => parts[name]);
  mkdirSync(dirname(given.out), { recursive: true });
  writeFileSync(given.out, html);
  console.log(`${given.out}: ${(html.length / 1e6).toFixed(2)} MB`);
}

await main();
