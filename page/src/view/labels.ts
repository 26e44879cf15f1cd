/* view/labels.ts - names over places, as text of the page: a name can never become markup. */
import { Vector3, type Camera } from 'three';

const MOST = 60;

export class Labels {
  private entries: { at: Vector3; element: HTMLElement }[] = [];
  visible = true;

  constructor(private readonly root: HTMLElement) {}

  show(names: { at: Vector3; text: string }[]): void {
    this.root.replaceChildren();
    this.entries = names.slice(0, MOST).map(({ at, text }) => {
      const element = document.createElement('span');
      element.textContent = text;
      this.root.append(element);
      return { at, element };
    });
  }

  /** Puts the names where their places are on the screen. */
  place(camera: Camera, width: number, height: number): void {
    this.root.hidden = !this.visible;
    if (!this.visible) return;
    const p = new Vector3();
    for (const { at, element } of this.entries) {
      p.copy(at).project(camera);
      const seen = Math.abs(p.z) < 1 && Math.abs(p.x) < 1.1 && Math.abs(p.y) < 1.1;
      element.hidden = !seen;
      if (seen) element.style.transform = `translate(${((p.x + 1) * width) / 2}px, ${((1 - p.y) * height) / 2}px)`;
    }
  }
}
