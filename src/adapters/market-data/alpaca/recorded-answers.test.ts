// The vendor's recorded answers, which are in the folder `shared` next to the project; without it these tests are skipped.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tickersOf } from '#engine/market/tickers.ts';
import { parseActionPage } from './actions.ts';
import { parseAsset } from './listings.ts';
import { parseBar, parseBarPage, parseSnapshots, QUOTE, TRADE } from './rows.ts';

type Recorded = { readonly test: string; readonly url: string; readonly answer: unknown };

const FILE = path.resolve(
  import.meta.dirname,
  '../../../../../shared/reference/alpaca/recorded-answers.json',
);
const recorded = existsSync(FILE)
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as { answers: Recorded[] }).answers
  : [];
const of = (pattern: RegExp) => recorded.filter(({ url }) => pattern.test(url));
const cases = (pattern: RegExp) => of(pattern).map((one) => [one.test, one.answer] as const);

describe.skipIf(recorded.length === 0)('every recorded answer about prices is read', () => {
  it.each(cases(/\/(stocks|options|us)\/bars\?/))('bars of %s', (_name, answer) => {
    for (const rows of parseBarPage(answer).rows.values())
      for (const row of rows) expect(parseBar(row)).toMatchObject({ t: expect.any(Number) });
  });

  it.each(cases(/bars\/latest|latest\/bars/))('newest bars of %s', (_name, answer) => {
    for (const row of Object.values((answer as { bars: object }).bars))
      expect(parseBar(row)).toMatchObject({ t: expect.any(Number) });
  });

  it.each(cases(/snapshots/))('snapshots of %s', (_name, answer) => {
    const outer = answer as { snapshots?: object };
    const asked = Object.keys(outer.snapshots ?? outer);
    expect([...parseSnapshots(answer).keys()]).toEqual(asked);
  });

  it.each(cases(/\/(quotes|trades)(\/latest)?\?|latest\/(quotes|trades)/))('rows of %s', (_name, answer) => {
    const { quotes, trades, trade } = answer as Record<'quotes' | 'trades' | 'trade', object | undefined>;
    for (const row of rowsOf(quotes)) expect(QUOTE.safeParse(row).success).toBe(true);
    for (const row of rowsOf(trades ?? trade)) expect(TRADE.safeParse(row).success).toBe(true);
  });

  it.each(cases(/\/v2\/assets/))('assets of %s', (_name, answer) => {
    expect((answer as unknown[]).map(parseAsset)).toMatchObject([
      { ticker: 'AAPL', exchange: 'NASDAQ', isTradable: true, isShortable: true, isFractionable: true },
    ]);
  });

  it('corporate actions, the kinds that change a symbol apart', () => {
    const [dividend, all] = of(/corporate-actions/).map(({ answer }) =>
      parseActionPage(answer, tickersOf([])),
    );
    expect(dividend).toEqual({
      actions: [{ symbol: 'ZMTBY', kind: 'dividend', exDate: '2024-08-07', amount: 0.086928 }],
      changes: [],
      nextToken: null,
    });
    expect(all?.actions).toEqual([
      { symbol: 'MNTS', kind: 'split', exDate: '2023-08-24', amount: 1 / 50 },
      { symbol: 'SRE', kind: 'split', exDate: '2023-08-22', amount: 2 },
      { symbol: 'MSBC', kind: 'split', exDate: '2023-05-19', amount: 1.05 },
      { symbol: 'FCF', kind: 'dividend', exDate: '2023-05-04', amount: 0.125 },
    ]);
    expect(
      all?.changes.map(({ symbol, date, event, ticker = '' }) =>
        `${event} ${symbol} ${date} ${ticker}`.trim(),
      ),
    ).toEqual([
      'unit_split TPBAU 2023-03-01',
      'spin_off JUPW 2023-08-15',
      'merger GLOP 2023-07-17',
      'merger LSI 2023-07-20',
      'merger MLVF 2023-07-18',
      'redemption ORPHY 2023-06-13',
      'rename BSAQ 2023-08-15 VFS',
      'removal ATNXQ 2023-10-11',
      'rights IFN 2024-04-17',
    ]);
    expect(all?.nextToken).not.toBeNull();
  });

  it('a bar whose price is no number is told apart, and does not spoil the page', () => {
    const [page] = of(/stocks\/bars\?/).map(({ answer }) => parseBarPage(answer));
    const [row] = page?.rows.get('AAPL') ?? [];
    expect(parseBar({ ...(row as object), c: '174.61' })).toContain('c');
  });
});

/** The rows by symbol, one or a list each, or the newest of a single symbol. */
function rowsOf(bySymbol: object | undefined): unknown[] {
  return Object.values(bySymbol ?? {}).flat() as unknown[];
}
