import { expect, it } from 'vitest';
import { createContractBook } from '#adapters/broker/interactive-brokers/market-data/contracts.ts';
import { tickersOf } from '#engine/market/tickers.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';

const FB = 'FB' as Symbol;
const NAMED = tickersOf(
  [
    ['FB', '2022-01-03'],
    ['META', '2022-06-09'],
  ].map(([value, from]) => ({ symbol: FB, kind: 'ticker', value: value!, from: from as IsoDate })),
);
/** Contract ids at the broker: FB is a fund now. */
const CONTRACTS: Readonly<Record<string, number>> = { META: 107113386, FB: 999 };

/** A trader that starts on a day, when nothing is kept of the broker's contracts. */
function bookOn(today: string) {
  const asked: string[] = [];
  const book = createContractBook((symbol) => (symbol === FB ? equityInstrument('FB') : null), {
    tickers: () => ({
      tickerOf: (symbol) => NAMED.tickerOn(symbol, today as IsoDate),
      symbolOf: (ticker) => NAMED.symbolInList(ticker, today as IsoDate),
    }),
  });
  const ask = async ({ query }: { query?: Readonly<Record<string, string>> | undefined }) => {
    const ticker = query?.symbols ?? '';
    asked.push(ticker);
    const contracts = [{ conid: CONTRACTS[ticker], exchange: 'NASDAQ', isUS: true }];
    return {
      outcome: 'ok',
      value: { [ticker]: [{ assetClass: 'STK', contracts }] },
    } as BrokerAnswer<unknown>;
  };
  return { book, ask, asked };
}

it('an order for a renamed share is for the contract of the ticker of today', async () => {
  const { book, ask, asked } = bookOn('2022-06-20');
  expect(await book.resolve(FB, ask, 'open')).toEqual({
    outcome: 'ok',
    value: { conid: 107113386, secType: 'STK' },
  });
  expect(asked).toEqual(['META']);
});

it('a row under the new ticker is ours, and one under the old ticker is another company’s', async () => {
  const { book, ask } = bookOn('2022-06-20');
  const row = (name: string) => ({ conid: String(CONTRACTS[name]), name, secType: 'STK' });
  expect(await book.recognize(row('META'), ask)).toEqual({ outcome: 'ok', value: FB });
  expect(await book.recognize(row('FB'), ask)).toEqual({ outcome: 'ok', value: null });
});

it('a row of the fund that takes the old ticker at once is not ours either: its contract is another one', async () => {
  const { book, ask } = bookOn('2022-06-10');
  const fund = { conid: String(CONTRACTS.FB), name: 'FB', secType: 'STK' };
  expect(await book.recognize(fund, ask)).toEqual({ outcome: 'ok', value: null });
});
