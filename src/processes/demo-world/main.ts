// The program of the demonstration.
import { runWord, wordsOf } from '../start/run-word.ts';
import { DEMO_WORLD } from './demo-world.ts';

await runWord(
  {
    ...wordsOf(DEMO_WORLD),
    start: async () => (await import('./start.ts')).startDemoWorld(import.meta.filename),
    demo: async () => (await import('./run-demo.ts')).runDemo(),
  },
  process.argv.slice(2),
);
