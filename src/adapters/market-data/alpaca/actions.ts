// Splits and dividends among the vendor's corporate actions. The other kinds (mergers, spin-offs, renames, removals) change
// what a symbol is; they are read as the days from which its price means something else. So is a split or dividend that cannot
// be read: it spoils its own share and no other.
import { z } from 'zod';
import type { ListedAction } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { Malformed, parse } from '../read-answer.ts';

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
  for (const [kind, rows] of Object.entries(groups))
    for (const row of rows) {
      const read = ACTIONS[kind]?.safeParse(row);
      if (read?.success) actions.push(read.data);
      else changes.push(changeOf(kind, row, read === undefined));
    }
  return { actions, changes, nextToken: token === '' ? null : token };
}

function changeOf(kind: string, row: unknown, isDated: boolean): SymbolChange {
  const names = parse(NAMES, row);
  const symbol = names.symbol ?? names.source_symbol ?? names.old_symbol ?? names.acquiree_symbol;
  if (symbol === undefined) throw new Malformed(`${kind} without a symbol`);
  const { ex_date, effective_date, process_date } = isDated ? parse(DAYS, row) : NO_DAYS;
  return { symbol, date: ex_date ?? effective_date ?? process_date ?? FOREVER, kind };
}

/** Later than any day of trading. */
const FOREVER = '9999-12-31' as IsoDate;

const symbol = z
  .string()
  .min(1)
  .transform((text) => text as Symbol);
const day = z.iso.date().transform((text) => text as IsoDate);
const positive = z.number().positive();
/** Dollars, or shares, per share. */
const DIVIDEND = z.object({ symbol, ex_date: day, rate: positive, currency: z.literal('USD').optional() });
const SPLIT = z
  .object({ symbol, ex_date: day, new_rate: positive, old_rate: positive })
  .transform((row): ListedAction => {
    return { symbol: row.symbol, kind: 'split', exDate: row.ex_date, amount: row.new_rate / row.old_rate };
  });
const ACTIONS: Readonly<Record<string, z.ZodType<ListedAction>>> = {
  cash_dividends: DIVIDEND.transform((row): ListedAction => {
    return { symbol: row.symbol, kind: 'dividend', exDate: row.ex_date, amount: row.rate };
  }),
  stock_dividends: DIVIDEND.transform((row): ListedAction => {
    return { symbol: row.symbol, kind: 'split', exDate: row.ex_date, amount: 1 + row.rate };
  }),
  forward_splits: SPLIT,
  reverse_splits: SPLIT,
};
const NAMES = z.object({
  symbol: symbol.optional(),
  source_symbol: symbol.optional(),
  old_symbol: symbol.optional(),
  acquiree_symbol: symbol.optional(),
});
const DAYS = z.object({
  ex_date: day.optional(),
  effective_date: day.optional(),
  process_date: day.optional(),
});
const NO_DAYS: z.infer<typeof DAYS> = {};
const PAGE = z.object({
  corporate_actions: z.record(z.string(), z.array(z.unknown())),
  next_page_token: z.string().nullable(),
});
