// `npm run load`: what connected accounts cost. One stage after the other, each with a broker's stand-in that holds everybody to the vendor's
// pacing, and with screens open: how long from a close to the last order, how far the trader lags, how fast the API answers, processor
// time and memory. `--accounts=100,250` are the sizes, `--deployments`, `--screens`, `--days` and `--day-seconds` any numbers;
// `--statements` prints what was asked of database and broker, `--profile=FOLDER` keeps a profile of the trader's processor.
// `--report` writes docs/results/load.md, or that of another `--name`, with a chart of several sizes; `--soak=MINUTES` keeps one size running and writes docs/results/soak.md.
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Measured, measureLoad } from './measure-load.ts';
import { quantile } from '../measure.ts';
import { reportLoad, reportSoak } from './report-load.ts';

const { values: options } = parseArgs({
  options: {
    accounts: { type: 'string', default: '100,250,500' },
    deployments: { type: 'string', default: '2' },
    screens: { type: 'string', default: '1000' },
    days: { type: 'string', default: '2' },
    'day-seconds': { type: 'string', default: '60' },
    soak: { type: 'string' },
    profile: { type: 'string' },
    statements: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    name: { type: 'string', default: 'load' },
  },
});
const sizes = options.accounts.split(',').map(Number);
const daySeconds = Number(options['day-seconds']);
const days = options.soak === undefined ? Number(options.days) : (Number(options.soak) * 60) / daySeconds;
if (options.profile !== undefined) mkdirSync(options.profile, { recursive: true });

const all: Measured[] = [];
for (const accounts of options.soak === undefined ? sizes : sizes.slice(0, 1)) {
  const measured = await measureLoad({
    accounts,
    deploymentsEach: Number(options.deployments),
    screens: Number(options.screens),
    days,
    daySeconds,
    profile: options.profile,
  });
  all.push(measured);
  show(measured);
  // After each: a size that cannot be measured takes none of the others away.
  if (options.report && options.soak === undefined) reportLoad(options.name, all);
}
if (options.soak !== undefined) reportSoak(all[0]!, { isKept: options.report });
process.exit();

function show(measured: Measured): void {
  const { size, seconds, orders, closeToLastMs, closeToOrderMs, lagMs, readMs, healthMs, report } = measured;
  const s = (values: readonly number[], share: number) => `${(quantile(values, share) / 1_000).toFixed(1)} s`;
  const perAccount = (count: number) => (count / size.accounts / (seconds / 60)).toFixed(1);
  const total = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`  ${orders} orders left; ${closeToLastMs.length} closes: to the last order p50 ${s(closeToLastMs, 0.5)}, worst ${s(closeToLastMs, 1)}; to each p50 ${s(closeToOrderMs, 0.5)}, p99 ${s(closeToOrderMs, 0.99)}
  the trader lags p50 ${s(lagMs, 0.5)}, p95 ${s(lagMs, 0.95)}, worst ${s(lagMs, 1)}
  ${measured.screens} screens: ${readMs.length} reads p50 ${quantile(readMs, 0.5).toFixed(0)} ms, p99 ${quantile(readMs, 0.99).toFixed(0)} ms, ${measured.failedReads} failed; health p95 ${quantile(healthMs, 0.95).toFixed(0)} ms; at most ${measured.atMost.perSecond.toFixed(0)} reads/s, p99 ${measured.atMost.p99Ms.toFixed(0)} ms
  a minute and account: ${perAccount(total(report.requests))} requests to the broker, ${perAccount(total(report.statements))} statements
  processor: ${Object.entries(measured.cpuMs)
    .map(([role, ms]) => `${role} ${(ms / seconds / 10).toFixed(0)}%`)
    .join(', ')}; memory: ${Object.entries(measured.pssMib)
    .map(([role, mib]) => `${role} ${mib.toFixed(0)} MiB`)
    .join(', ')}`);
  const problems = Map.groupBy(report.problems, (said) =>
    said.replace(/[0-9a-f-]{36}|BW\S+/g, '…').slice(0, 160),
  );
  for (const [said, times] of [...problems].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 12))
    console.log(`  ${times.length} × ${said}`);
  if (!options.statements) return;
  for (const counts of [report.requests, report.statements]) {
    for (const [name, count] of Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 45))
      console.log(`  ${perAccount(count).padStart(8)} ${name}`);
  }
}
