/* view/stage.ts - canvas, camera, lights and the loop of frames.
 *
 * A frame is drawn when something asks for it (`draw`): a page that stands still costs nothing. z is up.
 */
import { AmbientLight, Box3, DirectionalLight, PerspectiveCamera, Plane, Scene, Vector3, WebGLRenderer } from 'three';
import { SUN } from './people_shader';

const LONGEST = 1; /* [s] a page that was out of sight does not catch up */

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(45, 1, 0.1, 5000);
  readonly renderer: WebGLRenderer;
  /** Called before each frame with the seconds since the last one; true: go on. */
  onFrame: (seconds: number) => boolean = () => false;
  onDrawn: () => void = () => {};
  private asked = false;
  private last = 0;
  private slow = 0; /* frames in a row that took long, below 0: that did not */
  private sharpness = 1;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.localClippingEnabled = true;
    this.camera.up.set(0, 0, 1);
    this.scene.add(this.camera, new AmbientLight(0xffffff, 0.95));
    const sun = new DirectionalLight(0xffffff, 2.5);
    sun.position.copy(SUN).multiplyScalar(100);
    const fill = new DirectionalLight(0xcfe0ff, 0.55);
    fill.position.set(-60, 80, -30);
    this.scene.add(sun, fill);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * this.sharpness);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /** Asks for a frame. */
  draw(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  /* Where frames take long, fewer pixels are drawn: a third of the width less, down to a third. */
  private adapt(seconds: number): void {
    this.slow = seconds > 0.06 ? Math.max(this.slow, 0) + 1 : 0;
    if (this.slow < 12 || this.sharpness < 0.5) return;
    this.sharpness *= 0.67;
    this.slow = 0;
    this.resize();
  }

  private frame(now: number): void {
    this.asked = false;
    const seconds = this.last ? Math.min((now - this.last) / 1000, LONGEST) : 0;
    this.adapt(seconds);
    const more = this.onFrame(seconds);
    this.last = more ? now : 0;
    this.renderer.render(this.scene, this.camera);
    this.onDrawn();
    if (more) this.draw();
  }

  set cuts(planes: Plane[]) {
    this.scene.traverse((node) => {
      const material = (node as { material?: { clippingPlanes: Plane[] | null; needsUpdate: boolean } }).material;
      if (material) (material.clippingPlanes = planes.length ? planes : null), (material.needsUpdate = true);
    });
    this.draw();
  }

  /** Near and far planes that suit a scene of this size. */
  fit(box: Box3): void {
    const size = box.getSize(new Vector3()).length();
    this.camera.near = Math.max(0.05, size / 2000);
    this.camera.far = 20 * size + 100;
    this.camera.updateProjectionMatrix();
  }

  /** The picture as it stands. */
  picture(): Promise<Blob | null> {
    this.renderer.render(this.scene, this.camera);
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }
}
