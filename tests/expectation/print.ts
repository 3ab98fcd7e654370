// `npm run expected-range`: how often the tripwire calls a deployment worse than its record while the record still holds, and
// how long it takes to find one that has decayed. Prints two tables with seed, runs, shares and their confidence; exits with
// 1 when the stated rate does not hold. `npm run expected-range -- --runs 4000 --seed 11` looks elsewhere; `--report` writes
// the result file.
import { parseArgs } from 'node:util';
import { AMBER_AT, RED_AT } from '#engine/expectation/judge-day.ts';
import { countAlarms, DAYS_A_YEAR, delayOf, NULL_WORLDS } from '../support/engine/return-worlds.ts';
import { writeRunReport } from '../support/run-report.ts';
import { percent, wilson } from '../support/wilson.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    report: { type: 'boolean', default: false },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed) || seed < 1) {
  console.error('--runs and --seed take whole numbers above zero, such as --runs 2000 --seed 1');
  process.exit(1);
}

const HEAD = ['what happens', 'found', 'share', '95% confidence', 'promised', 'holds', 'half of them within'];
const rows: string[][] = [];
const say = (row: readonly string[]) => {
  rows.push([...row]);
  console.log(`| ${row.join(' | ')} |`);
};
console.log(`Records of ten years. Runs ${runs}, seed ${seed}, ${new Date().toISOString().slice(0, 10)}.\n`);
console.log(`| ${HEAD.join(' | ')} |`);
console.log('|---|---:|---:|---:|---:|---|---:|');

const YEARS = [3, 10] as const;
for (const world of NULL_WORLDS)
  for (const years of YEARS) {
    const counted = countAlarms(world, { days: years * DAYS_A_YEAR, runs, seed });
    for (const [state, found, rate] of [
      ['amber', counted.amber, 1 / AMBER_AT],
      ['red', counted.red, 1 / RED_AT],
    ] as const) {
      const [low, high] = wilson(found, runs);
      say([
        `nothing, ${years} years: ${world.name}, ${state}`,
        String(found),
        percent(found / runs),
        `${percent(low)} to ${percent(high)}`,
        `at most ${percent(rate)}`,
        low <= rate ? 'yes' : 'NO',
        '',
      ]);
    }
  }

const DECAYS = [
  { name: 'no profit any more', sharpe: 0 },
  { name: 'as much loss as there was profit', sharpe: -1 },
  { name: 'twice as much loss', sharpe: -2 },
  { name: 'four times as much loss', sharpe: -4 },
] as const;
const YEARS_AFTER = 10;
for (const world of NULL_WORLDS.filter(({ live }) => live === 'blocks'))
  for (const { name, sharpe } of DECAYS) {
    const delays = delayOf(world, {
      after: DAYS_A_YEAR,
      days: YEARS_AFTER * DAYS_A_YEAR,
      sharpe,
      runs,
      seed,
    });
    const found = delays.filter(Number.isFinite).length;
    const [low, high] = wilson(found, delays.length);
    const middle = delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)]!;
    say([
      `${name} after a good year: ${world.name}`,
      String(found),
      percent(found / delays.length),
      `${percent(low)} to ${percent(high)}`,
      '',
      '',
      Number.isFinite(middle) ? `${middle} days` : `more than ${YEARS_AFTER} years`,
    ]);
  }

const failures = rows
  .filter((row) => row[5] === 'NO')
  .map(([name, , share, , promised]) => `${name}: ${share}, promised ${promised}`);
if (failures.length > 0) process.exitCode = 1;
if (values.report)
  writeRunReport('expected-range', {
    title: 'How often the tripwire is wrong, and how long it takes',
    about:
      'Compares live days with a record of ten years and an annual Sharpe ratio of 1, as the trader does at each close. Where nothing happens, every alarm is false: the live days are the record’s own months in another order (block bootstrap), or what is behind the record goes on, of which the record is only one draw. The promise fails where the whole 95% interval (Wilson) lies above it. Where a record decays after a good year, the days count until red. How long that takes is not a matter of the test alone: ten years tell an annual Sharpe ratio to about a third.',
    facts: [
      ['Seed', String(seed)],
      ['Runs for each row', runs],
    ],
    table: { head: HEAD, rows },
    failures,
  });
