// W1 in grademark's usual way. Usage: grademark-crossover.mjs FILE BARS, FILE with planes of doubles: open, close. It
// passes over a signal on the bar of an entry and keeps no cash, so it makes fewer trades and does less.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.cwd(), 'package.json'));
const { backtest } = require('grademark');
const { DataFrame } = require('data-forge');

const bars = Number(process.argv[3]);
const bytes = readFileSync(process.argv[2]);
const planes = new Float64Array(bytes.buffer, bytes.byteOffset, 2 * bars);
const mean = (window) => {
  const means = new Float64Array(bars).fill(Number.NaN);
  let sum = 0;
  for (let i = 0; i < bars; i++) {
    sum += planes[bars + i] - (i < window ? 0 : planes[bars + i - window]);
    if (i >= window - 1) means[i] = sum / window;
  }
  return means;
};
const start = performance.now();
const [fast, slow] = [mean(10), mean(20)];
const rows = Array.from({ length: bars }, (_, i) => ({
  time: new Date(Date.UTC(2016, 0, 4) + i * 60_000),
  open: planes[i],
  high: Math.max(planes[i], planes[bars + i]),
  low: Math.min(planes[i], planes[bars + i]),
  close: planes[bars + i],
  volume: 0,
  gap: fast[i] - slow[i],
  before: i === 0 ? Number.NaN : fast[i - 1] - slow[i - 1],
}));
const trades = backtest(
  {
    entryRule: (enter, { bar }) => {
      if (bar.before < 0 && bar.gap > 0) enter({ direction: 'long' });
    },
    exitRule: (exit, { bar }) => {
      if (bar.before > 0 && bar.gap < 0) exit();
    },
  },
  new DataFrame(rows),
);
console.log(JSON.stringify({ fills: 2 * trades.length, ms: performance.now() - start }));
