// What could not be read of the broker's lists at this look: judged, remembered for the orders that leave next, and
// recorded for staff.
import {
  judgeUnreadRows,
  type UnreadFacts,
  type UnreadList,
  type UnreadRow,
  type UnreadVerdict,
  unsureInstruments,
} from '#engine/execution/reconciliation/unread-rows.ts';
import { UNREAD_INCIDENTS, unreadIncidents } from '#engine/incidents/unread-incidents.ts';
import { loadUnreadFacts, saveUnreadRows } from '#records/execution/unread-rows.ts';
import { syncIncidents } from '#records/incidents/incidents.ts';
import type { Symbol } from '#units/identifiers.ts';
import { MINUTE_MS } from '#units/instant.ts';
import { msBetween } from '#units/wall-instant.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

type Looked = {
  readonly lists: Partial<Record<UnreadList, readonly UnreadRow[]>>;
  readonly positioned?: ReadonlySet<Symbol>;
};

/** Takes in lists that were just read. A list that was not read again stays as it was. */
export async function noteUnread(
  context: TradingContext,
  { connection, known }: ActiveConnection,
  { lists, positioned = known.unread.positioned }: Looked,
): Promise<void> {
  const rows = new Map(known.unread.rows);
  for (const [list, found] of Object.entries(lists)) rows.set(list as UnreadList, found);
  known.unread = { ...known.unread, rows, positioned };
  const all = [...rows.values()].flat();
  const facts =
    all.length === 0 ? NO_FACTS : await loadUnreadFacts(context.database, connection.accountId, all);
  const verdicts = judgeUnreadRows(all, { ...facts, positioned });
  known.health = { ...known.health, unsure: unsureInstruments(verdicts) };
  await record(context, { connection, known }, verdicts);
}

const NO_FACTS: Omit<UnreadFacts, 'positioned'> = {
  orders: [],
  known: new Set(),
  inUse: new Set(),
  ignored: new Set(),
};

/** On each change, and now and then while nothing changes. */
async function record(
  { database, lease, realNow, logger }: TradingContext,
  { connection, known }: Pick<ActiveConnection, 'connection' | 'known'>,
  verdicts: readonly UnreadVerdict[],
): Promise<void> {
  const { saved } = known.unread;
  const key = verdicts.map(verdictKey).toSorted().join('\n');
  const at = realNow();
  if (key === saved?.key && (key === '' || msBetween(saved.at, at) < SAVE_EVERY_MS)) return;
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [connection.id]);
    await saveUnreadRows(trx, { connection: connection.id, account: connection.accountId, at }, verdicts);
    const scope = { connectionId: connection.id, kinds: UNREAD_INCIDENTS };
    await syncIncidents(trx, scope, unreadIncidents(connection.accountId, verdicts), at);
  });
  const alarming = verdicts.filter(({ isForeign, isIgnored }) => !isForeign && !isIgnored);
  if (key !== saved?.key && alarming.length > 0)
    logger.warn(
      { accountId: connection.accountId, verdicts: alarming },
      'trader: rows of the broker cannot be read',
    );
  known.unread = { ...known.unread, saved: { key, at } };
}

function verdictKey({ row: { list, key, reason, raw }, ...verdict }: UnreadVerdict): string {
  const { concernsUs, isForeign, isIgnored, ignoreRefusal, unsure } = verdict;
  return JSON.stringify([list, key, reason, raw, concernsUs, isForeign, isIgnored, ignoreRefusal, ...unsure]);
}

const SAVE_EVERY_MS = 10 * MINUTE_MS;
