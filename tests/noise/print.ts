// `npm run noise`: how often the best of 200 tries is called supported, when none of them has any skill and when one
// has. Prints a table with seed, runs, shares and their confidence; exits with 1 when a promise does not hold.
// `npm run noise -- --runs 2000 --seed 11` searches elsewhere; `--report` writes the result file.
import { parseArgs } from 'node:util';
import { countSupported, type Search } from '../support/engine/search-for-luck.ts';
import { writeRunReport } from '../support/run-report.ts';
import { percent, wilson } from '../support/wilson.ts';

type Case = Search & {
  readonly name: string;
  /** The whole confidence interval must lie below, or above; a case without either is there to compare. */
  readonly below?: number;
  readonly above?: number;
};

const CASES: readonly Case[] = [
  { name: 'noise, each try for itself', annualSharpe: 0, marketShare: 0, below: 0.05 },
  { name: 'noise, half of it common to all', annualSharpe: 0, marketShare: 0.5, below: 0.05 },
  { name: 'noise with fat tails', annualSharpe: 0, marketShare: 0, hasFatTails: true, below: 0.05 },
  { name: 'noise, if the ledger forgot', annualSharpe: 0, marketShare: 0, isLedgerKept: false },
  { name: 'one try with a Sharpe ratio of 1', annualSharpe: 1, marketShare: 0 },
  { name: 'one try with a Sharpe ratio of 1.5', annualSharpe: 1.5, marketShare: 0 },
  { name: 'one try with a Sharpe ratio of 2', annualSharpe: 2, marketShare: 0, above: 0.8 },
  { name: 'the same, half common to all', annualSharpe: 2, marketShare: 0.5, above: 0.8 },
];

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '7919' },
    report: { type: 'boolean', default: false },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed) || seed < 1) {
  console.error('--runs and --seed take whole numbers above zero, such as --runs 1000 --seed 7919');
  process.exit(1);
}

console.log(
  `The best of 200 tries over ten years of weeks. Runs ${runs}, seed ${seed}, ${new Date().toISOString().slice(0, 10)}.`,
);
console.log('');
const HEAD = ['searched through', 'supported', 'share', '95% confidence', 'promised', 'holds'];
const rows: string[][] = [];
console.log(`| ${HEAD.join(' | ')} |`);
console.log('|---|---:|---:|---:|---:|---|');
for (const { name, below, above, ...search } of CASES) {
  const supported = countSupported(search, { runs, seed });
  const [low, high] = wilson(supported, runs);
  const holds = (below === undefined || high < below) && (above === undefined || low > above);
  const isPromise = below !== undefined || above !== undefined;
  const promised =
    below !== undefined ? `under ${percent(below)}` : above !== undefined ? `over ${percent(above)}` : '';
  const cells = [name, String(supported), percent(supported / runs), `${percent(low)} to ${percent(high)}`];
  const row = [...cells, promised, isPromise ? (holds ? 'yes' : 'NO') : ''];
  rows.push(row);
  console.log(`| ${row.join(' | ')} |`);
}
const failures = rows
  .filter((row) => row.at(-1) === 'NO')
  .map(([name, , share, , promised]) => `${name}: ${share}, promised ${promised}`);
if (failures.length > 0) process.exitCode = 1;
if (values.report)
  writeRunReport('noise', {
    title: 'How often luck is taken for skill',
    about:
      'Searches 200 variants over ten years of weekly returns, takes the one with the best Sharpe ratio and grades its evidence as the product does. A promise holds when the whole 95% interval (Wilson) keeps it.',
    facts: [
      ['Seed', String(seed)],
      ['Runs for each row', runs],
    ],
    table: { head: HEAD, rows },
    failures,
  });
