// A rehearsal as a visitor has it: the web app's own worker in Chromium loads ten years of fifty shares with dividends, packed
// as the server packs them, and plays them with the visitor's amount and limits; then again for each move of a slider.
import { PACKED_MAGIC, packSeries } from '#contract/strategies/packed-bars.ts';
import { PASSPORT_FORMAT } from '#engine/evidence/passport.ts';
import type { RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { toMicro } from '#units/money.ts';
import { launchBrowser } from '../tests/support/browser.ts';
import { bundle } from './bundle.ts';
import { rankingInput } from './engine-runs.ts';
import { UNIVERSE, walk } from './engine-workloads.ts';
import { median } from './measure.ts';
import { serveFiles } from './serve-files.ts';

const ROUNDS = 7;
const SHARES = 50;
/** The goals of the product. */
const GOAL = { firstMs: 2_000, laterMs: 100 };

const input = rankingInput(UNIVERSE.slice(0, SHARES).map(walk), 'dividends and stop');
const symbols = [...input.series.keys()];
const passport = {
  format: PASSPORT_FORMAT,
  definition: {
    ...input.definition,
    universe: symbols,
    rule: { type: 'ranking', by: 'momentum', top: 10, bottom: 0 },
  },
  costs: { ...input.settings, performanceFeePercent: 30, committedAt: 0 },
};
const packed = Buffer.concat([
  Buffer.from(PACKED_MAGIC),
  ...symbols.map((symbol) => pack(input.series.get(symbol)!, input.instruments.get(symbol)!)),
]);

function pack(bars: BarSeries, instrument: Parameters<typeof packSeries>[0]['instrument']): Uint8Array {
  const { open, high, low, close, volume, interval, actions } = bars;
  const columns = { closed_at: bars.closedAt, open, high, low, close, volume };
  const lists = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, Array.from(column)]),
  ) as Record<keyof typeof columns, number[]>;
  return packSeries({ instrument, interval, ...lists, ...(actions && { actions }) });
}

const limits = { stopLossPercentage: 8, maxAllocationPercent: 25, freezeOnDrawdownPercent: 30 };
const termsOf = (dollars: number): RehearsalTerms => ({
  amount: toMicro(dollars),
  limits,
  takesFractions: false,
  feePercent: 30,
});

/** Run by the page. First: from the request for the files to the answer. Later: from moved slider to answer. */
const script = `new Promise((resolve, reject) => {
  const worker = new Worker('/worker.js', { type: 'module' });
  const terms = ${JSON.stringify(Array.from({ length: 12 }, (_, i) => termsOf(10_000 + 1_000 * i)))};
  const times = [];
  let from = performance.now();
  worker.addEventListener('error', (event) => reject(new Error(event.message)));
  worker.addEventListener('message', ({ data }) => {
    if (data.kind === 'failed') reject(new Error(data.message));
    if (data.kind === 'loading') return;
    if (data.kind === 'rehearsed') {
      times.push(performance.now() - from);
      if (times.length === terms.length)
        return resolve({ times, days: data.rehearsal.dates.length, fills: data.rehearsal.fills });
      from = performance.now();
    }
    worker.postMessage({ kind: 'rehearse', terms: terms[times.length] });
  });
  worker.postMessage({ kind: 'load', passportUrl: '/passport', barsUrl: '/bars', token: null });
})`;

const { address, close } = await serveFiles({
  '/': { type: 'text/html', body: '<!doctype html><title>Rehearsal</title>' },
  '/worker.js': { type: 'text/javascript', body: await bundle('../src/web/rehearsal/rehearsal-worker.ts') },
  '/passport': { type: 'application/json', body: JSON.stringify(passport) },
  '/bars': { type: 'application/octet-stream', body: packed },
});
const browser = await launchBrowser();
const firsts: number[] = [];
const later: number[] = [];
let days = 0;
for (let round = 0; round < ROUNDS; round++) {
  const page = await browser.newPage();
  await page.goto(address);
  const ran = await page.evaluate<{ times: number[]; days: number; fills: number }>(script);
  if (ran.fills === 0) throw new Error('the rehearsal did not trade');
  const [first, ...others] = ran.times;
  firsts.push(first!);
  later.push(...others);
  days = ran.days;
  await page.close();
}
await browser.close();
close();
const worst = (values: readonly number[]) => Math.max(...values).toFixed(0);
console.log(
  `${SHARES} shares, ${days} days, ${(packed.length / 1e6).toFixed(1)} MB, Chromium, ${ROUNDS} rounds, by the clock
  first run, loading included: ${median(firsts).toFixed(0)} ms, at worst ${worst(firsts)} (goal ${GOAL.firstMs})
  later runs: ${median(later).toFixed(0)} ms, at worst ${worst(later)} (goal ${GOAL.laterMs})`,
);
