// Contracts that were written and that the vendor says were assigned, from its activities (OPASN). The shares that move for one are
// listed beside it (OPTRD) and are not asked for: the strike says their cash.
import type { OptionAssignment } from '#engine/market/option-assignment.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import { DAY_MS, type Instant, instantOfDate, type IsoDate, isoText } from '#units/instant.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import { type Fields, numberOf, reading, textOf } from '../answer-fields.ts';
import { readRows } from '../list-rows.ts';
import { dateOf } from './cash-activities.ts';
import { listPages, PAGES_MAX } from './list-pages.ts';
import { envelopeOf, type Known } from './parse-answers.ts';

export async function listAssignments(
  ask: (path: string, query: Readonly<Record<string, string>>) => Promise<BrokerAnswer<unknown>>,
  known: Known,
  since: IsoDate,
): Promise<BrokerAnswer<readonly OptionAssignment[]>> {
  const query = {
    activity_types: 'OPASN',
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
  const parse = (row: Fields): OptionAssignment | null => {
    const symbol = known(textOf(row, 'symbol'));
    const contracts = quantity(Math.abs(toQuantity(numberOf(row, 'qty'))));
    // A contract that our catalogue does not have is none of ours.
    if (symbol === null || contracts === 0) return null;
    return { activityId: textOf(row, 'id'), symbol, contracts, date: dateOf(row) };
  };
  const read = reading(() => readRows(pages.value, 'the list of assignments', { envelopeOf, parse }));
  if (read.outcome === 'failed') return read;
  return { outcome: 'ok', value: read.value.rows.filter(({ date }) => date >= since) };
}

const ROWS = 100;
