// The vendor's splits and dividends. A row that cannot be read spoils its own share and no other.
import { z } from 'zod';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { ListedAction } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { parse } from '../read-answer.ts';
import type { VendorNames } from '../vendor-names.ts';

export type ListedActions = {
  readonly actions: readonly ListedAction[];
  /** Shares with a row that cannot be read. */
  readonly spoiled: ReadonlySet<Symbol>;
};

type Lists = { readonly splits: readonly unknown[]; readonly dividends: readonly unknown[] };

/** The vendor names a share by its ticker of that day; another company's days under the ticker are left out. */
export function readActions(lists: Lists, names: Pick<VendorNames, 'symbols' | 'tickers'>): ListedActions {
  const tickers = names.tickers();
  const actions: ListedAction[] = [];
  const spoiled = new Set<Symbol>();
  const read = (schema: z.ZodType<NamedAction>, row: unknown) => {
    const found = schema.safeParse(row);
    if (found.success) {
      const { ticker: named, ...action } = found.data;
      const symbol = tickers.symbolOn(named, action.exDate);
      if (symbol !== null) actions.push({ ...action, symbol });
      return;
    }
    const { ticker: named } = parse(z.object({ ticker }), row);
    for (const symbol of names.symbols) if (tickers.everOf(symbol).includes(named)) spoiled.add(symbol);
  };
  for (const row of lists.splits) read(SPLIT, row);
  for (const row of lists.dividends) read(DIVIDEND, row);
  return { actions: actions.toSorted((left, right) => (left.exDate < right.exDate ? -1 : 1)), spoiled };
}

type NamedAction = CorporateAction & { readonly ticker: string };

const ticker = z.string().min(1);
const day = z.iso.date().transform((text) => text as IsoDate);
const positive = z.number().positive();
/** Dividends paid in shares are splits too. */
const SPLIT = z
  .object({ ticker, execution_date: day, split_from: positive, split_to: positive })
  .transform((row): NamedAction => {
    const amount = row.split_to / row.split_from;
    return { ticker: row.ticker, kind: 'split', exDate: row.execution_date, amount };
  });
/** Dollars per share as they were paid, before any later split. */
const DIVIDEND = z
  .object({ ticker, ex_dividend_date: day, cash_amount: positive, currency: z.literal('USD').optional() })
  .transform((row): NamedAction => {
    return { ticker: row.ticker, kind: 'dividend', exDate: row.ex_dividend_date, amount: row.cash_amount };
  });
