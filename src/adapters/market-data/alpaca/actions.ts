// Splits and dividends among the vendor's corporate actions. The other kinds (mergers, spin-offs, renames, removals) change
// what a symbol is; they are read as the days from which its price means something else.
import { z } from 'zod';
import type { ListedAction } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { Malformed } from './requests.ts';
import { parse } from './rows.ts';

export type ActionPage = {
  readonly actions: readonly ListedAction[];
  readonly changes: readonly SymbolChange[];
  readonly nextToken: string | null;
};

/** From this day on the symbol is another security, or none. */
export type SymbolChange = { readonly symbol: Symbol; readonly date: IsoDate; readonly kind: string };

export function parseActionPage(body: unknown): ActionPage {
  const { corporate_actions: groups, next_page_token: token } = parse(PAGE, body);
  const actions: ListedAction[] = [];
  const changes: SymbolChange[] = [];
  for (const [kind, rows] of Object.entries(groups)) {
    if (kind === 'cash_dividends')
      for (const { symbol, ex_date, rate } of parse(z.array(DIVIDEND), rows))
        actions.push({ symbol, kind: 'dividend', exDate: ex_date, amount: rate });
    else if (kind === 'stock_dividends')
      for (const { symbol, ex_date, rate } of parse(z.array(DIVIDEND), rows))
        actions.push({ symbol, kind: 'split', exDate: ex_date, amount: 1 + rate });
    else if (kind === 'forward_splits' || kind === 'reverse_splits')
      for (const { symbol, ex_date, new_rate, old_rate } of parse(z.array(SPLIT), rows))
        actions.push({ symbol, kind: 'split', exDate: ex_date, amount: new_rate / old_rate });
    else changes.push(...parse(z.array(CHANGE), rows).map((row) => changeOf(kind, row)));
  }
  return { actions, changes, nextToken: token === '' ? null : token };
}

/** A row of a kind that we do not know still names its symbol and a day. */
function changeOf(kind: string, row: z.infer<typeof CHANGE>): SymbolChange {
  const symbol = row.symbol ?? row.source_symbol ?? row.old_symbol ?? row.acquiree_symbol;
  const date = row.ex_date ?? row.effective_date ?? row.process_date;
  if (symbol === undefined || date === undefined) throw new Malformed(`${kind} without a symbol or a day`);
  return { symbol, date, kind };
}

const symbol = z
  .string()
  .min(1)
  .transform((text) => text as Symbol);
const day = z.iso.date().transform((text) => text as IsoDate);
const positive = z.number().positive();
/** Dollars, or shares, per share. */
const DIVIDEND = z.object({ symbol, ex_date: day, rate: positive });
const SPLIT = z.object({ symbol, ex_date: day, new_rate: positive, old_rate: positive });
const CHANGE = z.object({
  symbol: symbol.optional(),
  source_symbol: symbol.optional(),
  old_symbol: symbol.optional(),
  acquiree_symbol: symbol.optional(),
  ex_date: day.optional(),
  effective_date: day.optional(),
  process_date: day.optional(),
});
const PAGE = z.object({
  corporate_actions: z.record(z.string(), z.array(z.unknown())),
  next_page_token: z.string().nullable(),
});
