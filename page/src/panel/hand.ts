/* panel/hand.ts - mouse and fingers on the picture: a click chooses, files that are dropped are opened. */
import { Raycaster, Vector2 } from 'three';
import type { App } from '../app';
import { agentUnder } from '../view/choose';

const STILL = 5; /* [px] a click may move so far */

/** From pixels of the page to -1 ... 1 of the picture. */
export function screenPoint(canvas: HTMLCanvasElement, x: number, y: number): Vector2 {
  const box = canvas.getBoundingClientRect();
  return new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
}

export function listenToHand(app: App): void {
  const { canvas, camera } = app.stage;
  const ray = new Raycaster();
  let from: { x: number; y: number } | null = null;
  canvas.addEventListener(
    'pointerdown',
    (event) => (from = event.isPrimary ? { x: event.clientX, y: event.clientY } : null),
  );
  canvas.addEventListener('pointerup', (event) => {
    const still = from && Math.hypot(event.clientX - from.x, event.clientY - from.y) < STILL;
    from = null;
    if (!still || event.button !== 0 || !app.frame) return;
    ray.setFromCamera(screenPoint(canvas, event.clientX, event.clientY), camera);
    const pixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / canvas.clientHeight;
    const row = agentUnder(app.frame, ray.ray, pixel * (event.pointerType === 'mouse' ? 4 : 12));
    void app.choose(row < 0 ? 0 : app.frame.id[row]!);
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void file.arrayBuffer().then((bytes) => app.load(new Uint8Array(bytes)));
  });
}
