// node tests/port/golden.mjs GOLDEN.mjs FOLDER [all] - runs tests/port/golden.c as it was built for WebAssembly. The bytes are
// handed over, because the script of this emscripten fetches a path, which Node 18 and later refuse.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const [script, ...rest] = process.argv.slice(2);
globalThis.require = createRequire(import.meta.url);
globalThis.__dirname = dirname(script);
const { default: make } = await import(pathToFileURL(script));
const wasmBinary = readFileSync(script.replace(/\.mjs$/, '.wasm'));
const engine = await make({ wasmBinary });
process.exitCode = engine.callMain(rest);
