/* play/clock.ts - the time that is shown, between the steps that have been made.
 *
 * Shown time runs with the clock on the wall times the speed, never beyond the last step that has come from the worker:
 * where the engine is slower than that, time waits for it. How many steps are to be asked for follows from how far
 * ahead the engine is; one question at a time is under way.
 */
export class Clock {
  /** Shown time, in steps. */
  shown = 0;
  /** The last step that has come. */
  made = 0;
  playing = false;
  /** Times real time; 0: as fast as it can. */
  speed = 1;

  constructor(public dt = 0.1) {}

  /** Goes to a step that has been made. */
  set(step: number): void {
    this.shown = this.made = step;
  }

  /** Lets `seconds` of the wall pass; returns how many steps should be asked for. */
  pass(seconds: number): number {
    if (!this.playing) return 0;
    if (this.speed === 0) {
      this.shown = this.made;
      return 1000;
    }
    const wanted = this.shown + (seconds * this.speed) / this.dt;
    this.shown = Math.min(wanted, this.made);
    return Math.max(0, Math.ceil(wanted + 0.25 - this.made));
  }

  /** How far between the step before the last and the last, 0 to 1. */
  get between(): number {
    return Math.min(Math.max(1 - (this.made - this.shown), 0), 1);
  }
}
