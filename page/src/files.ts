/* files.ts - what the file of the page holds: engine and worker as base64, the scene as a pack, in blocks that no browser runs. */

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64.trim());
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function block(id: string): Uint8Array {
  return bytesOf(document.getElementById(id)?.textContent ?? '');
}

async function unpacked(bytes: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

export interface Files {
  wasm: ArrayBuffer;
  worker: string;
  scene: Uint8Array | null;
}

export async function readFiles(): Promise<Files> {
  const text = document.getElementById('scene')?.textContent?.trim() ?? '';
  return {
    wasm: await unpacked(block('engine')),
    worker: new TextDecoder().decode(await unpacked(block('worker'))),
    scene: text === '' || text.startsWith('@') ? null : new TextEncoder().encode(text),
  };
}
