// The vendor's non-trade activities of some types since a day, page by page.
import type { BrokerAnswer } from '#ports/broker.ts';
import { DAY_MS, type Instant, instantOfDate, type IsoDate, isoText } from '#units/instant.ts';
import { type Fields, reading, textOf } from '../answer-fields.ts';
import { readRows } from '../list-rows.ts';
import { listPages, PAGES_MAX } from './list-pages.ts';
import { envelopeOf } from './parse-answers.ts';

export type AskActivities = (
  path: string,
  query: Readonly<Record<string, string>>,
) => Promise<BrokerAnswer<unknown>>;

/** `parse` answers null for a row that is none of ours. */
export async function listActivities<Row extends { readonly date: IsoDate }>(
  ask: AskActivities,
  {
    types,
    since,
    name,
    parse,
  }: {
    readonly types: readonly string[];
    readonly since: IsoDate;
    /** Of the list, where it cannot be read. */
    readonly name: string;
    readonly parse: (row: Fields) => Row | null;
  },
): Promise<BrokerAnswer<readonly Row[]>> {
  const query = {
    activity_types: types.join(','),
    // The vendor compares the time of submission, which may be in the evening before its date.
    after: isoText((instantOfDate(since) - DAY_MS) as Instant),
    direction: 'asc',
    page_size: String(ROWS),
  };
  const pages = await listPages(
    { rows: ROWS, pages: PAGES_MAX },
    (page) => ask('/v2/account/activities', { ...query, ...page }),
    (last) => ({ page_token: textOf(last, 'id') }),
  );
  if (pages.outcome === 'failed') return pages;
  const read = reading(() => readRows(pages.value, name, { envelopeOf, parse }));
  if (read.outcome === 'failed') return read;
  return { outcome: 'ok', value: read.value.rows.filter(({ date }) => date >= since) };
}

const ROWS = 100;
