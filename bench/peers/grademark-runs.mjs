// W1 and W3 in grademark's usual way. Usage: grademark-runs.mjs crossover|sweep FILE BARS 1, FILE with planes of
// doubles: open, close. It passes over a signal on the bar of an entry and keeps no cash, so it makes fewer trades and
// does less.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.cwd(), 'package.json'));
const { backtest } = require('grademark');
const { DataFrame } = require('data-forge');

const [workload, file, count] = process.argv.slice(2);
const bars = Number(count);
const bytes = readFileSync(file);
const planes = new Float64Array(bytes.buffer, bytes.byteOffset, 2 * bars);
const barMs = workload === 'crossover' ? 60_000 : 86_400_000;
const means = new Map();

function mean(window) {
  const known = means.get(window);
  if (known !== undefined) return known;
  const made = new Float64Array(bars).fill(Number.NaN);
  let sum = 0;
  for (let i = 0; i < bars; i++) {
    sum += planes[bars + i] - (i < window ? 0 : planes[bars + i - window]);
    if (i >= window - 1) made[i] = sum / window;
  }
  means.set(window, made);
  return made;
}

const rules = {
  entryRule: (enter, { bar }) => {
    if (bar.before < 0 && bar.gap > 0) enter({ direction: 'long' });
  },
  exitRule: (exit, { bar }) => {
    if (bar.before > 0 && bar.gap < 0) exit();
  },
};

function trades(fastLength, slowLength) {
  const [fast, slow] = [mean(fastLength), mean(slowLength)];
  const rows = Array.from({ length: bars }, (_, i) => ({
    time: new Date(Date.UTC(2016, 0, 4) + i * barMs),
    open: planes[i],
    high: Math.max(planes[i], planes[bars + i]),
    low: Math.min(planes[i], planes[bars + i]),
    close: planes[bars + i],
    volume: 0,
    gap: fast[i] - slow[i],
    before: i === 0 ? Number.NaN : fast[i - 1] - slow[i - 1],
  }));
  return backtest(rules, new DataFrame(rows)).length;
}

const pairs =
  workload === 'crossover'
    ? [[10, 20]]
    : Array.from({ length: 1_000 }, (_, i) => {
        const fast = 5 + Math.floor(i / 25);
        return [fast, fast + 5 + 4 * (i % 25)];
      });
const start = performance.now();
const fills = pairs.reduce((sum, [fast, slow]) => sum + 2 * trades(fast, slow), 0);
console.log(JSON.stringify({ fills, ms: performance.now() - start }));
