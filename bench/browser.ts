// The first run in the browser: the crossover over 1,000,000 bars in a fresh worker of Chromium, with the bars already
// loaded. Every round uses a new page and a new worker, so that each first run really is the first.
import { launchBrowser } from '../tests/support/browser.ts';
import type { FirstRun } from './browser/first-run.ts';
import { bundle } from './bundle.ts';
import { median } from './measure.ts';
import { serveFiles } from './serve-files.ts';

const ROUNDS = 7;

/** Run by the page. */
const ASK_WORKER = `new Promise((resolve) => {
  const worker = new Worker('/worker.js', { type: 'module' });
  worker.addEventListener('message', (event) => resolve(event.data));
  worker.addEventListener('error', (event) => resolve(event.message));
  worker.postMessage('run');
})`;

const worker = await bundle('browser/first-run.ts');
const { address, close } = await serveFiles({
  '/': { type: 'text/html', body: '<!doctype html><title>First run</title>' },
  '/worker.js': { type: 'text/javascript', body: worker },
});

const browser = await launchBrowser();
const runs: FirstRun[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const page = await browser.newPage();
  await page.goto(address);
  const answer = await page.evaluate<FirstRun | string>(ASK_WORKER);
  if (typeof answer === 'string') throw new Error(answer);
  runs.push(answer);
  await page.close();
}
const firsts = runs.map(({ firstMs }) => firstMs);
console.log(`W1 in a fresh worker of Chromium ${browser.version()}, ${ROUNDS} rounds, by the clock`);
console.log(
  `  first run ${median(firsts).toFixed(1)} ms (quickest ${Math.min(...firsts).toFixed(1)}), warm ${median(runs.flatMap(({ warmMs }) => warmMs)).toFixed(1)} ms`,
);
await browser.close();
close();
