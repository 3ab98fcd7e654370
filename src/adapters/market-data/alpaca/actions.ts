// Splits and dividends among the vendor's corporate actions. The other kinds (mergers, spin-offs, renames, removals) change
// what a share is; they are read as the days from which it is something else. So is a split or dividend that cannot be read: it
// spoils its own share and no other. The vendor names a share by its ticker of that day.
import { z } from 'zod';
import type { ListedAction } from '#ports/market-data.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import { type SecurityChange, type SecurityEvent, UNDATED } from '#engine/market/security-change.ts';
import type { Tickers } from '#engine/market/tickers.ts';
import { addDays, type IsoDate } from '#units/instant.ts';
import { Malformed, parse } from '../read-answer.ts';

export type ActionPage = {
  readonly actions: readonly ListedAction[];
  readonly changes: readonly SecurityChange[];
  readonly nextToken: string | null;
};

export function parseActionPage(body: unknown, tickers: Tickers): ActionPage {
  const { corporate_actions: groups, next_page_token: token } = parse(PAGE, body);
  const actions: ListedAction[] = [];
  const changes: SecurityChange[] = [];
  for (const [kind, rows] of Object.entries(groups))
    for (const row of rows) {
      const read = ACTIONS[kind]?.safeParse(row);
      if (read?.success) {
        const { ticker, ...action } = read.data;
        const symbol = tickers.symbolOn(ticker, action.exDate);
        if (symbol !== null) actions.push({ ...action, symbol });
      } else changes.push(...changeOf(kind, row, { isDated: read === undefined, tickers }));
    }
  return { actions, changes, nextToken: token === '' ? null : token };
}

type Reading = { readonly isDated: boolean; readonly tickers: Tickers };

/** None for another company's, and for a share that keeps its ticker under another number. */
function changeOf(kind: string, row: unknown, { isDated, tickers }: Reading): readonly SecurityChange[] {
  const names = parse(NAMES, row);
  const ticker = names.symbol ?? names.source_symbol ?? names.old_symbol ?? names.acquiree_symbol;
  if (ticker === undefined) throw new Malformed(`${kind} without a symbol`);
  const { ex_date, effective_date, process_date } = isDated ? parse(DAYS, row) : NO_DAYS;
  const date = ex_date ?? effective_date ?? process_date ?? UNDATED;
  const symbol = tickers.symbolOn(ticker, date === UNDATED ? date : addDays(date, -1));
  if (symbol === null) return [];
  const { new_symbol: renamed } = names;
  if (kind !== 'name_changes' || renamed === undefined || date === UNDATED)
    return [{ symbol, date, event: isDated ? (EVENTS[kind] ?? 'unread') : 'unread' }];
  return renamed === ticker ? [] : [{ symbol, date, event: 'rename', ticker: renamed }];
}

const EVENTS: Readonly<Record<string, SecurityEvent>> = {
  cash_mergers: 'merger',
  stock_mergers: 'merger',
  stock_and_cash_mergers: 'merger',
  spin_offs: 'spin_off',
  rights_distributions: 'rights',
  unit_splits: 'unit_split',
  redemptions: 'redemption',
  worthless_removals: 'removal',
};

const ticker = z.string().min(1);
const day = z.iso.date().transform((text) => text as IsoDate);
type NamedAction = CorporateAction & { readonly ticker: string };
const positive = z.number().positive();
/** Dollars, or shares, per share. */
const DIVIDEND = z.object({
  symbol: ticker,
  ex_date: day,
  rate: positive,
  currency: z.literal('USD').optional(),
});
const SPLIT = z
  .object({ symbol: ticker, ex_date: day, new_rate: positive, old_rate: positive })
  .transform((row): NamedAction => {
    return { ticker: row.symbol, kind: 'split', exDate: row.ex_date, amount: row.new_rate / row.old_rate };
  });
const ACTIONS: Readonly<Record<string, z.ZodType<NamedAction>>> = {
  cash_dividends: DIVIDEND.transform((row): NamedAction => {
    return { ticker: row.symbol, kind: 'dividend', exDate: row.ex_date, amount: row.rate };
  }),
  stock_dividends: DIVIDEND.transform((row): NamedAction => {
    return { ticker: row.symbol, kind: 'split', exDate: row.ex_date, amount: 1 + row.rate };
  }),
  forward_splits: SPLIT,
  reverse_splits: SPLIT,
};
const NAMES = z.object({
  symbol: ticker.optional(),
  source_symbol: ticker.optional(),
  old_symbol: ticker.optional(),
  new_symbol: ticker.optional(),
  acquiree_symbol: ticker.optional(),
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
