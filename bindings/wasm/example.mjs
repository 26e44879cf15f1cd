// example.mjs - forty people leave a hall: node example.mjs
import { start } from './throng.mjs';

const scene = {
  version: 1,
  name: 'door',
  ground: {
    outline: [{ rectangle: [[0, 0], [20, 10]] }],
    obstacles: [{ rectangle: [[12, 0], [12.3, 4]] }, { rectangle: [[12, 6], [12.3, 10]] }],
  },
  goals: [{ name: 'exit', line: [[19, 2], [19, 8]], sink: true }],
  populations: [
    { name: 'people', count: 40, region: { rectangle: [[1, 1], [8, 9]] }, route: ['exit'], speed: { mean: 1.34, spread: 0.2 } },
  ],
  duration: 60,
};

const engine = await start();
const run = engine.run(JSON.stringify(scene));
while (!run.done) {
  run.step(10);
  const { time, count, point } = run.frame();
  let east = 0;
  for (let i = 0; i < count; i++) east += point[3 * i] / count;
  console.log(`${time.toFixed(1)} s: ${count} people, ${east.toFixed(1)} m from the back wall`);
}
console.log(`all out after ${run.time.toFixed(1)} s, hash ${run.hash()}`);
run.free();
