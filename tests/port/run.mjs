// node tests/port/run.mjs PROGRAM.mjs [ARGUMENTS] - runs a program of tests/port as it was built for WebAssembly. The bytes
// are handed over, because the script of this emscripten fetches a path, which Node 18 and later refuse.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// Clocks count the time of the processor, as clock() does elsewhere: a busy machine is no slower platform.
Date.now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const [script, ...rest] = process.argv.slice(2);
globalThis.require = createRequire(import.meta.url);
globalThis.__dirname = dirname(resolve(script));
const { default: make } = await import(pathToFileURL(resolve(script)));
const engine = await make({ wasmBinary: readFileSync(script.replace(/\.mjs$/, '.wasm')) });
process.exitCode = engine.callMain(rest);
