/* play/clock.ts - the time that is shown, between the steps that have been made.
 *
 * Wanted time runs with the clock on the wall times the speed; shown time is the same as long as its step is there. The
 * engine is asked for one step more than is shown, so that the next one is ready when its time comes; what a moment of a
 * busy machine took is made up for, and where the engine is slower for longer, time waits for it and does not pile up.
 */
const DEBT = 0.15; /* [s] that are made up for */

export class Clock {
  /** Shown time, in steps. */
  shown = 0;
  /** The step that the picture leads to. */
  made = 0;
  /** The last step that has come from the engine. */
  ready = 0;
  playing = false;
  /** Times real time; 0: as fast as it can. */
  speed = 1;
  private wanted = 0;

  constructor(public dt = 0.1) {}

  /** Goes to a step that has been made. */
  set(step: number): void {
    this.shown = this.made = this.ready = this.wanted = step;
  }

  /** Lets `seconds` of the wall pass; returns how many steps should be asked for. */
  pass(seconds: number): number {
    if (!this.playing) return 0;
    if (this.speed === 0) {
      this.wanted = this.shown = this.ready;
      return 1000;
    }
    const steps = (seconds * this.speed) / this.dt;
    const debt = (DEBT * this.speed) / this.dt;
    this.wanted = Math.min(this.wanted + steps, this.ready + Math.max(1, steps) + debt);
    this.shown = Math.min(this.wanted, this.made);
    return Math.max(0, Math.ceil(this.wanted + 1 - this.ready));
  }

  /** True when it is time to show the step that is ready. */
  get due(): boolean {
    return this.ready > this.made && (this.speed === 0 || this.wanted >= this.ready - 1);
  }

  /** The picture now leads to the step that is ready. */
  turn(): void {
    this.made = this.ready;
    this.shown = Math.max(Math.min(this.wanted, this.made), this.made - 1);
  }

  /** How far between the step before the last and the last, 0 to 1. */
  get between(): number {
    return Math.min(Math.max(1 - (this.made - this.shown), 0), 1);
  }
}
