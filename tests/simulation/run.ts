// `npm run simulate -- --seeds N [--from S] [--steps K] [--report|--collect]`: simulated worlds on a PostgreSQL of their
// own; `--collect` adds the run to the parts of a campaign. Prints every failing seed with its last steps and the broken
// invariants; exits with 1 if there is one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { collectRunReport, writeRunReport } from '../support/run-report.ts';
import { withDatabase } from './database-of-seed.ts';
import { type Simulated, simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string', default: '40' },
    trace: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    collect: { type: 'boolean', default: false },
  },
});
const [seeds, from, steps] = [count('seeds'), count('from'), count('steps')];
const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-simulate-'));
const server = await startDatabase(path.join(folder, 'data'));
const failed: Simulated[] = [];
const totals = {
  orders: 0,
  fills: 0,
  fees: 0,
  flows: 0,
  stops: 0,
  stopsFilled: 0,
  exitsWaited: 0,
  exitsAsked: 0,
  shorts: 0,
  stopsOfShorts: 0,
  shortDividends: 0,
  lateDividends: 0,
  adjustments: 0,
  statements: 0,
  unexplained: 0,
  bridgedDays: 0,
};
const faults = new Map<string, number>();
const began = performance.now();
try {
  await migrateAsOwner(server.ownerUrl);
  for (let seed = from; seed < from + seeds; seed++) {
    const result = await withDatabase(server, `seed_${seed}`, (records) =>
      simulate(seed, records, { steps, keys: path.join(folder, 'keys') }),
    );
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += result.counts[name];
    for (const [fault, times] of result.faults) faults.set(fault, (faults.get(fault) ?? 0) + times);
    if (values.trace) console.log(result.trace.join('\n'), `\n${result.fingerprint}`);
    if ((seed - from + 1) % 10 === 0) console.log(`${seed - from + 1} seeds`);
    if (result.violations.length === 0) continue;
    failed.push(result);
    console.log(`seed ${seed} FAILS\n  ${[...result.trace.slice(-6), ...result.violations].join('\n  ')}`);
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(server.home, { recursive: true, force: true });
}
const planted = [...faults]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([fault, times]) => `${fault} ×${times}`);
console.log(`faults planted: ${planted.join(', ')}`);
console.log(
  `${seeds} seeds of ${steps} steps, ${totals.orders} orders (${totals.stops} protective stops, ${totals.stopsFilled} of them filled, ${totals.stopsOfShorts} of shorts), ${totals.exitsWaited} exits waited for a look (${totals.exitsAsked} for two, and were a task), ${totals.fills} fills (${totals.shorts} left a short), ${totals.fees} fees billed, ${totals.flows} deposits and withdrawals, dividends of ${totals.shortDividends} shorts and ${totals.lateDividends} late fills, ${totals.adjustments} adjustments by hand, ${totals.statements} cash statements (${totals.unexplained} not explained), ${totals.bridgedDays} days bridged, ${Math.round((performance.now() - began) / 1_000)} s: ${failed.length} failed`,
);
if (values.report || values.collect)
  (values.collect ? collectRunReport : writeRunReport)('simulate', {
    title: 'Simulated worlds',
    about:
      'Each seed is a whole world: the trader, the broker protocol and scripted faults, with every invariant checked after every step.',
    facts: [
      ['First seed', String(from)],
      ['Seeds', seeds],
      ['Steps of each seed', String(steps)],
      ['Orders', totals.orders],
      ['Protective stops', totals.stops],
      ['Protective stops filled', totals.stopsFilled],
      ['Exits that waited for one look', totals.exitsWaited],
      ['Exits that waited for two, each a task', totals.exitsAsked],
      ['Fills', totals.fills],
      ['Fills that left a short', totals.shorts],
      ['Dividends on shorts', totals.shortDividends],
      ['Dividends on late fills', totals.lateDividends],
      ['Manual adjustments', totals.adjustments],
      ['Fees billed', totals.fees],
      ['Days of deployments bridged from the published return', totals.bridgedDays],
      ['Deposits and withdrawals', totals.flows],
      ['Faults injected', [...faults.values()].reduce((sum, times) => sum + times, 0)],
    ],
    seeds: { from, count: seeds },
    failures: failed.map(({ seed, violations }) => `seed ${seed}: ${violations.join('; ')}`),
  });
process.exit(failed.length === 0 ? 0 : 1);

function count(name: 'seeds' | 'from' | 'steps'): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`--${name} must be a whole number above 0, not "${values[name]}".`);
  process.exit(2);
}
