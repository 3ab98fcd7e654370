// `npm run noise`: how often the best of 200 tries is called supported, when none of them has any skill and when one
// has; and the same of the best of a person's thirty drafts, each backtested by the engine. Prints a table with seed, runs, shares and their confidence; exits with 1 when a promise does not hold.
// `npm run noise -- --runs 2000 --seed 11` searches elsewhere; `--report` writes the result file.
import { parseArgs } from 'node:util';
import { countVerdicts } from '../support/engine/attack-drafts.ts';
import { countSupportedDrafts, type DraftSearch } from '../support/engine/search-by-drafts.ts';
import { countSupported, type Search } from '../support/engine/search-for-luck.ts';
import type { AttackVerdict } from '#engine/evidence/attack/attack-result.ts';
import { writeRunReport } from '../support/run-report.ts';
import { percent, wilson } from '../support/wilson.ts';

type Promised = {
  readonly name: string;
  /** The whole confidence interval must lie below, or above; a case without either is there to compare. */
  readonly below?: number | undefined;
  readonly above?: number | undefined;
};

const CASES: readonly (Search & Promised)[] = [
  { name: 'noise, each try for itself', annualSharpe: 0, marketShare: 0, below: 0.05 },
  { name: 'noise, half of it common to all', annualSharpe: 0, marketShare: 0.5, below: 0.05 },
  { name: 'noise with fat tails', annualSharpe: 0, marketShare: 0, hasFatTails: true, below: 0.05 },
  { name: 'noise, if the ledger forgot', annualSharpe: 0, marketShare: 0, isLedgerKept: false },
  { name: 'one try with a Sharpe ratio of 1', annualSharpe: 1, marketShare: 0 },
  { name: 'one try with a Sharpe ratio of 1.5', annualSharpe: 1.5, marketShare: 0 },
  { name: 'one try with a Sharpe ratio of 2', annualSharpe: 2, marketShare: 0, above: 0.8 },
  { name: 'the same, half common to all', annualSharpe: 2, marketShare: 0.5, above: 0.8 },
];

/** Every search runs some forty backtests over ten years. */
const DRAFT_RUNS_SHARE = 0.3;
const DRAFT_CASES: readonly (DraftSearch & Promised)[] = [
  { name: '30 drafts on noise that differ in numbers', drafts: 'numbers', drift: 0, below: 0.05 },
  { name: '30 drafts on noise of six kinds of rule', drafts: 'kinds', drift: 0, below: 0.05 },
  { name: 'numbers, if each draft forgot the others', drafts: 'numbers', drift: 0, isForgetful: true },
  { name: 'six kinds, if each draft forgot the others', drafts: 'kinds', drift: 0, isForgetful: true },
  { name: 'numbers, prices with a faint trend', drafts: 'numbers', drift: 0.15 },
  { name: 'numbers, prices with a trend', drafts: 'numbers', drift: 0.25, above: 0.8 },
  { name: 'six kinds, prices with a trend', drafts: 'kinds', drift: 0.25, above: 0.8 },
];

/** And every attack a hundred and ten more. */
const ATTACK_RUNS_SHARE = 0.15;
const ATTACK_CASES: readonly (DraftSearch & Promised & { readonly verdict: AttackVerdict })[] = [
  {
    name: 'numbers, noise: do not deploy',
    drafts: 'numbers',
    drift: 0,
    verdict: 'do_not_deploy',
    above: 0.95,
  },
  {
    name: 'six kinds, noise: do not deploy',
    drafts: 'kinds',
    drift: 0,
    verdict: 'do_not_deploy',
    above: 0.95,
  },
  // As of the grade: a planted edge is let through in over 80%.
  {
    name: 'numbers, prices with a trend: do not deploy',
    drafts: 'numbers',
    drift: 0.3,
    verdict: 'do_not_deploy',
    below: 0.2,
  },
  { name: 'the same: withstood', drafts: 'numbers', drift: 0.3, verdict: 'withstood' },
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
const HEAD = [
  'searched through',
  'searches',
  'supported, or so judged',
  'share',
  '95% confidence',
  'promised',
  'holds',
];
const rows: string[][] = [];
console.log(`| ${HEAD.join(' | ')} |`);
console.log('|---|---:|---:|---:|---:|---:|---|');
for (const { name, below, above, ...search } of CASES)
  report({ name, below, above }, countSupported(search, { runs, seed }), runs);
const draftRuns = Math.max(1, Math.round(runs * DRAFT_RUNS_SHARE));
for (const { name, below, above, ...search } of DRAFT_CASES)
  report({ name, below, above }, countSupportedDrafts(search, { runs: draftRuns, seed }), draftRuns);
const attackRuns = Math.max(1, Math.round(runs * ATTACK_RUNS_SHARE));
for (const { name, below, above, verdict, ...search } of ATTACK_CASES)
  report({ name, below, above }, countVerdicts(search, verdict, { runs: attackRuns, seed }), attackRuns);

function report({ name, below, above }: Promised, supported: number, of: number): void {
  const [low, high] = wilson(supported, of);
  const holds = (below === undefined || high < below) && (above === undefined || low > above);
  const isPromise = below !== undefined || above !== undefined;
  const promised =
    below !== undefined ? `under ${percent(below)}` : above !== undefined ? `over ${percent(above)}` : '';
  const cells = [
    name,
    String(of),
    String(supported),
    percent(supported / of),
    `${percent(low)} to ${percent(high)}`,
  ];
  const row = [...cells, promised, isPromise ? (holds ? 'yes' : 'NO') : ''];
  rows.push(row);
  console.log(`| ${row.join(' | ')} |`);
}

const failures = rows
  .filter((row) => row.at(-1) === 'NO')
  .map(([name, , , share, , promised]) => `${name}: ${share}, promised ${promised}`);
if (failures.length > 0) process.exitCode = 1;
if (values.report)
  writeRunReport('noise', {
    title: 'How often luck is taken for skill',
    about:
      'Searches 200 variants over ten years of weekly returns, takes the one with the best Sharpe ratio and grades its evidence as the product does. Then thirty drafts of one person over ten years of daily prices: each runs through the engine, the best one’s neighbours too, and its grade counts the family of tries. The prices with a trend drift a quarter of a day’s deviation up or down, for a hundred days on average (a faint trend: 0.15). In the last rows the best draft is attacked, where the trend is 0.3, and what is counted is the verdict. A promise holds when the whole 95% interval (Wilson) keeps it.',
    facts: [
      ['Seed', String(seed)],
      ['Runs for each row', `${runs}, of drafts ${draftRuns}, of attacks ${attackRuns}`],
    ],
    table: { head: HEAD, rows },
    failures,
  });
