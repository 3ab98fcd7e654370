// The vendor's splits and dividends. A row that cannot be read spoils its own share and no other.
import { z } from 'zod';
import type { ListedAction } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { parse } from '../read-answer.ts';

export type ListedActions = {
  readonly actions: readonly ListedAction[];
  /** Shares with a row that cannot be read. */
  readonly spoiled: ReadonlySet<Symbol>;
};

export function readActions(splits: readonly unknown[], dividends: readonly unknown[]): ListedActions {
  const actions: ListedAction[] = [];
  const spoiled = new Set<Symbol>();
  const read = (schema: z.ZodType<ListedAction>, row: unknown) => {
    const action = schema.safeParse(row);
    if (action.success) actions.push(action.data);
    else spoiled.add(parse(z.object({ ticker }), row).ticker);
  };
  for (const row of splits) read(SPLIT, row);
  for (const row of dividends) read(DIVIDEND, row);
  return { actions: actions.toSorted((left, right) => (left.exDate < right.exDate ? -1 : 1)), spoiled };
}

const ticker = z
  .string()
  .min(1)
  .transform((text) => text as Symbol);
const day = z.iso.date().transform((text) => text as IsoDate);
const positive = z.number().positive();
/** Dividends paid in shares are splits too. */
const SPLIT = z
  .object({ ticker, execution_date: day, split_from: positive, split_to: positive })
  .transform((row): ListedAction => {
    const amount = row.split_to / row.split_from;
    return { symbol: row.ticker, kind: 'split', exDate: row.execution_date, amount };
  });
/** Dollars per share as they were paid, before any later split. */
const DIVIDEND = z
  .object({ ticker, ex_dividend_date: day, cash_amount: positive, currency: z.literal('USD').optional() })
  .transform((row): ListedAction => {
    return { symbol: row.ticker, kind: 'dividend', exDate: row.ex_dividend_date, amount: row.cash_amount };
  });
