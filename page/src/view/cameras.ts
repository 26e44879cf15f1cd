/* view/cameras.ts - three ways to look: round the scene, from above, behind the chosen agent.
 *
 * All steer the same camera through orbit controls, so that changing the way keeps what is in sight. Following moves
 * camera and target together by what the agent has moved; the hand may still turn and come nearer.
 */
import { Box3, MOUSE, TOUCH, Vector3, type PerspectiveCamera } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

export const WAYS = ['orbit', 'top', 'follow'] as const;
export type Way = (typeof WAYS)[number];

export class Cameras {
  readonly controls: OrbitControls;
  way: Way = 'orbit';
  private lent = false; /* the main button and one finger draw */
  private box = new Box3();
  private last: Vector3 | null = null;

  constructor(
    private readonly camera: PerspectiveCamera,
    canvas: HTMLElement,
    onChange: () => void,
  ) {
    this.controls = new OrbitControls(camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    this.controls.addEventListener('change', onChange);
  }

  /** The whole scene in sight; on a tall screen from farther away. */
  home(box: Box3 = this.box): void {
    this.box = box;
    const centre = box.getCenter(new Vector3());
    const size = box.getSize(new Vector3());
    const flat = size.z < 0.2 * Math.max(size.x, size.y);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = (0.5 * (flat ? size.x : size.length())) / (half * Math.min(this.camera.aspect, 1.6));
    const deep = (0.5 * (flat ? size.y : size.length())) / half;
    const away = Math.max(wide, deep, 2) * (flat ? 1.05 : 0.95);
    const from = flat ? new Vector3(0, -0.62, 0.8) : new Vector3(0.55, -0.85, 0.5);
    if (this.way === 'top') from.set(0, -0.001, 1);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(from.normalize(), away);
    this.controls.maxDistance = 8 * away;
    this.controls.minDistance = 0.5;
    this.controls.update();
  }

  choose(way: Way): void {
    const was = this.way;
    this.way = way;
    this.last = null;
    this.controls.minPolarAngle = 0;
    this.controls.maxPolarAngle = way === 'top' ? 0.001 : Math.PI;
    this.lend(this.lent);
    if (way === 'top' || (was === 'top' && way === 'orbit')) this.home();
    this.controls.update();
  }

  /** The main button and one finger are needed for something else. */
  lend(on: boolean): void {
    this.lent = on;
    const top = this.way === 'top';
    this.controls.mouseButtons.LEFT = on ? null : top ? MOUSE.PAN : MOUSE.ROTATE;
    this.controls.touches.ONE = on ? null : top ? TOUCH.PAN : TOUCH.ROTATE;
  }

  /** Where the followed agent is now; null: nobody is followed. */
  follow(at: Vector3 | null, heading: Vector3 | null, up: Vector3 | null): void {
    if (this.way !== 'follow' || !at || !heading || !up) {
      this.last = null;
      return;
    }
    if (this.last) {
      this.camera.position.add(at).sub(this.last);
      this.controls.target.copy(at).addScaledVector(up, 1.2);
    } else {
      this.controls.target.copy(at).addScaledVector(up, 1.2);
      this.camera.position.copy(at).addScaledVector(heading, -7).addScaledVector(up, 4.5);
    }
    this.last = at.clone();
    this.controls.update();
  }

  /** By keys: turns [rad], moves in the plane of the screen and comes nearer (factor). */
  turn(angle: number, tilt: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.camera.up, angle);
    const side = new Vector3().crossVectors(this.camera.up, offset).normalize();
    const tilted = offset.clone().applyAxisAngle(side, tilt);
    const polar = tilted.angleTo(this.camera.up);
    if (this.way !== 'top' && polar > 0.02 && polar < Math.PI - 0.02) offset.copy(tilted);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  move(right: number, ahead: number): void {
    const away = this.camera.position.distanceTo(this.controls.target);
    const x = new Vector3().setFromMatrixColumn(this.camera.matrix, 0);
    const y = new Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    if (this.way !== 'top') y.crossVectors(this.camera.up, x);
    const by = x.multiplyScalar(right * away).addScaledVector(y, ahead * away);
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    const length = Math.min(Math.max(offset.length(), this.controls.minDistance), this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).add(offset.setLength(length));
    this.controls.update();
  }
}
