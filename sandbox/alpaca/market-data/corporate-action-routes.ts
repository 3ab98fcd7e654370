// Splits and dividends at the stand-in for Alpaca's market data.
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Get, Settings } from './settings.ts';

export function corporateActionRoutes(get: Get, { prices, now }: Settings): void {
  get('/v1/corporate-actions', (query) => {
    const symbols = (query.symbols ?? '').split(',');
    const wanted = (prices.actions?.(now()) ?? []).filter(
      ({ symbol, exDate }) =>
        symbols.includes(symbol) && exDate >= (query.start ?? '') && exDate <= (query.end ?? '9999'),
    );
    const rowOf = ({ symbol, exDate }: { symbol: Symbol; exDate: IsoDate }) => ({
      id: `${symbol}-${exDate}`,
      symbol,
      cusip: 'CUSIP',
      ex_date: exDate,
      process_date: exDate,
    });
    const dividends = wanted.filter(({ kind }) => kind === 'dividend');
    const splits = wanted.filter(({ kind, amount }) => kind === 'split' && amount > 1);
    const reverse = wanted.filter(({ kind, amount }) => kind === 'split' && amount < 1);
    return {
      corporate_actions: {
        ...(dividends.length > 0 && {
          cash_dividends: dividends.map((one) => ({
            ...rowOf(one),
            rate: one.amount,
            special: false,
            foreign: false,
          })),
        }),
        ...(splits.length > 0 && {
          forward_splits: splits.map((one) => ({ ...rowOf(one), new_rate: one.amount, old_rate: 1 })),
        }),
        ...(reverse.length > 0 && {
          reverse_splits: reverse.map((one) => ({ ...rowOf(one), new_rate: 1, old_rate: 1 / one.amount })),
        }),
      },
      next_page_token: null,
    };
  });
}
