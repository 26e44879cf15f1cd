/* The clock: real time at any length of a step, never beyond what the engine has made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock } from '../../src/play/clock';

/** Plays for some seconds at 60 frames a second with an engine that answers at once. */
function play(clock: Clock, seconds: number): void {
  clock.playing = true;
  for (let i = 0; i < 60 * seconds; i++) {
    const wanted = clock.pass(1 / 60);
    if (clock.due) clock.turn();
    clock.ready += wanted;
    assert.ok(clock.shown <= clock.made && clock.made - clock.shown <= 1 + 1e-9, 'the picture is between two steps');
  }
}

test('ten seconds at a step of 1/30 are 300 steps, within 6', () => {
  const clock = new Clock(1 / 30);
  play(clock, 10);
  assert.ok(Math.abs(clock.shown - 300) <= 6, String(clock.shown));
  assert.ok(Math.abs(clock.made - 300) <= 6, String(clock.made));
});

test('speed counts', () => {
  const clock = new Clock(0.1);
  clock.speed = 4;
  play(clock, 5);
  assert.ok(Math.abs(clock.shown - 200) <= 3, String(clock.shown));
});

test('shown time waits for a slow engine and is never beyond it', () => {
  const clock = new Clock(0.1);
  clock.playing = true;
  for (let i = 0; i < 100; i++) assert.ok(clock.pass(0.5) > 0 && clock.shown === 0);
  clock.ready = 1;
  assert.ok(clock.pass(0.01) > 0 && clock.due);
  clock.turn();
  assert.ok(clock.shown <= 1);
});

test('a short delay of the engine is made up for', () => {
  const clock = new Clock(1 / 30);
  clock.playing = true;
  for (let i = 0; i < 600; i++) {
    const wanted = clock.pass(1 / 60);
    if (clock.due) clock.turn();
    if (i % 60 > 12) clock.ready += wanted; /* silent for a fifth of each second */
  }
  assert.ok(Math.abs(clock.shown - 300) <= 6, String(clock.shown));
});

test('a clock that stands asks for nothing', () => {
  const clock = new Clock(0.1);
  assert.equal(clock.pass(3), 0);
  clock.set(17);
  assert.equal(clock.between, 1);
  assert.equal(clock.shown, 17);
});
