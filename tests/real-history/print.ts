// `npm run real-history`: the equity strategies of the catalogue on real prices from 1998 on, each against its benchmark.
// `--data FOLDER` names the folder of the prices; `--report` writes the result file. Exits with 1 without prices.
import { parseArgs } from 'node:util';
import { type RunReport, writeRunReport } from '../support/run-report.ts';
import { type MeasuredListing, measureListing } from './measure-listing.ts';
import { realListings } from './real-listings.ts';
import { hasRealPrices, readRealPrices, REAL_PRICES } from './real-prices.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: REAL_PRICES },
    report: { type: 'boolean', default: false },
  },
});
if (!hasRealPrices(values.data)) {
  console.error(`There are no prices in ${values.data}: name their folder with --data FOLDER.`);
  process.exit(1);
}
const shares = readRealPrices(values.data);
const measured = realListings([...shares.values()].map(({ instrument }) => instrument)).map((listing) =>
  measureListing(listing, shares),
);

const lastDates = [...shares.values()].map((one) => one.lastDate);
const lastDate = lastDates.toSorted().at(-1)!;
const survivors = lastDates.filter((date) => date === lastDate).length;
const HEAD = [
  'strategy',
  'days',
  'a year',
  'volatility',
  'Sharpe',
  'deepest fall',
  'SPY over the same days: a year',
  'volatility',
  'Sharpe',
  'deepest fall',
  'trades',
  'traded',
  'missing',
];
const report: RunReport = {
  title: 'Strategies on real prices',
  about: `The rules of the equity strategies of the catalogue on real daily prices of the past, each next to SPY held over the same days, its dividends reinvested, without costs. The catalogue’s own instruments are those of the simulated market and have no real prices: each rule trades the real ones of the same sort that the files have. **Survivorship:** somebody chose these ${shares.size} shares and funds after the fact, and ${survivors} of them still traded on the last day, ${lastDate}. What picks among them looks better than it could have been, and a result here is no evidence that a rule works.`,
  facts: [
    ['World', 'live: real past prices, nothing simulated but the fills'],
    ['Prices', [...shares].map(([symbol, { firstDate }]) => `${symbol} from ${firstDate}`).join(', ')],
    [
      'Bars left out, most of an earlier owner of the ticker',
      [...shares.values()].reduce((sum, { leftOut }) => sum + leftOut, 0),
    ],
    [
      'Costs',
      'those of every published result; dividends received in cash; $100,000 at the start; SPY without costs',
    ],
    ['Strategies', measured.length],
    ['Ahead of SPY by Sharpe', measured.filter(isAhead).length],
  ],
  table: { head: HEAD, rows: measured.map(rowOf) },
  failures: [],
};
for (const row of [HEAD, HEAD.map(() => '---'), ...report.table!.rows]) console.log(`| ${row.join(' | ')} |`);
if (values.report) writeRunReport('real-history', report);

function isAhead({ figures, benchmark }: MeasuredListing): boolean {
  return (figures.sharpe_ratio ?? Number.NEGATIVE_INFINITY) > benchmark.sharpe_ratio;
}

function rowOf(one: MeasuredListing): string[] {
  const { figures, benchmark, definition } = one;
  return [
    one.name,
    `${one.firstDate} to ${one.lastDate}`,
    ...shown(figures),
    ...shown(benchmark),
    String(figures.total_trades),
    definition.universe.join(' '),
    one.missing,
  ];
}

function shown({
  annual_return,
  volatility,
  sharpe_ratio,
  max_drawdown,
}: MeasuredListing['figures'] | MeasuredListing['benchmark']): string[] {
  const percent = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)}%`);
  return [
    percent(annual_return),
    percent(volatility),
    sharpe_ratio === null ? '–' : sharpe_ratio.toFixed(2),
    percent(max_drawdown),
  ];
}
