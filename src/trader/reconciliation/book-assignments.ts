// Early assignments of what deployments have written, as the broker lists them: our rules cannot know of them. One counts once, by its
// id and those that it corrects, and only where the account has fewer contracts than the books. Whom it meets follows from the books.
import type { AccountBook } from '#engine/execution/reconciliation/external-position.ts';
import { isLastSessionProcessed } from '#engine/execution/reconciliation/external-position.ts';
import { OPTION_MULTIPLIER, parseOption } from '#engine/market/option-contract.ts';
import { type OptionAssignment, shareAssignment } from '#engine/market/option-assignment.ts';
import { lockAccountCash } from '#records/cash/cash-statements.ts';
import { loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import { bookedContracts, isEndOfDayBooked, listHolders } from '#records/portfolio/assignments.ts';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, instant, utcDate } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { valueOf } from '../connections/broker-unavailable.ts';
import { bookPositionEvent } from '../end-of-day/book-position-event.ts';
import type { TradingContext } from '../trading-context.ts';

/** True where something was booked: the books are read again. */
export async function bookAssignments(
  context: TradingContext,
  active: ActiveConnection,
  { held, books }: { readonly held: ReadonlyMap<Symbol, number>; readonly books: readonly AccountBook[] },
): Promise<boolean> {
  const { connection, session } = active;
  if (session.assignments === undefined) return false;
  const fewer = books.filter((book) => isFewerThanWritten(book, held, context));
  if (fewer.length === 0) return false;
  const since = utcDate(instant(context.now - LISTED_FOR_MS));
  const listed = valueOf('assignments', await session.assignments(connection.accountId, since));
  let isBooked = false;
  for (const assignment of listed) {
    const book = fewer.find(({ symbol }) => symbol === assignment.symbol);
    if (book === undefined || !isOfProcessedSession(assignment, book)) continue;
    const there = quantity(held.get(book.symbol) ?? 0);
    isBooked = (await bookAssignment(context, active, { assignment, there })) || isBooked;
  }
  return isBooked;
}

/** Contracts on shares, all of them of deployments, of which the account has fewer. */
function isFewerThanWritten(
  book: AccountBook,
  held: ReadonlyMap<Symbol, number>,
  { now }: TradingContext,
): boolean {
  const { symbol, ours, external } = book;
  const isWritten = ours < 0 && external === 0 && parseOption(symbol)?.settlement === 'shares';
  return isWritten && (held.get(symbol) ?? 0) > ours && isLastSessionProcessed(book, now);
}

/** Until then our own rules may still book it; at the expiry they do. */
function isOfProcessedSession({ symbol, date }: OptionAssignment, { passed }: AccountBook): boolean {
  return passed !== null && date <= passed && date < parseOption(symbol)!.expiry;
}

/** `there`: what the account holds of the contract. */
async function bookAssignment(
  context: TradingContext,
  { connection }: ActiveConnection,
  { assignment, there }: { readonly assignment: OptionAssignment; readonly there: Quantity },
): Promise<boolean> {
  const { accountId } = connection;
  const { symbol, activityId, date, corrects = [] } = assignment;
  const option = parseOption(symbol)!;
  const present = await context.atPresent();
  return present.database.transaction().execute(async (trx) => {
    await present.lease.fence(trx, [connection.id]);
    await lockAccountCash(trx, accountId);
    const key = { accountId, symbol };
    if (await isEndOfDayBooked(trx, { ...key, date })) return false;
    const booked = await bookedContracts(trx, { ...key, activityIds: [activityId, ...corrects] });
    if (booked.has(activityId)) return false;
    const listed = await listHolders(trx, key);
    await loadTradingDeployments(
      trx,
      listed.map(({ deploymentId }) => deploymentId),
      'for update',
    );
    const holders = await listHolders(trx, key);
    const missing = there - sumOf(holders.map(({ held }) => held));
    const unbooked = assignment.contracts - sumOf([...booked.values()]);
    const writers = holders.filter(({ held }) => held < 0);
    const shares = shareAssignment(
      quantity(Math.min(unbooked, missing)),
      writers.map(({ held }) => quantity(-held)),
    );
    let isBooked = false;
    for (const [place, { deploymentId, held }] of writers.entries()) {
      const taken = shares[place] ?? 0;
      if (taken === 0) continue;
      const contracts = quantity(-taken);
      const direction = option.right === 'call' ? 1 : -1;
      const event = {
        type: 'assignment',
        symbol,
        contracts,
        underlying: option.underlying,
        shares: quantity(direction * contracts * OPTION_MULTIPLIER),
        strike: option.strike,
        spot: present.marks.get(option.underlying) ?? option.strike,
      } as const;
      const happened = { event, entitled: held, sessionDate: date, execution: activityId };
      isBooked = (await bookPositionEvent(trx, present, deploymentId, happened)) === 'booked' || isBooked;
    }
    return isBooked;
  });
}

function sumOf(units: readonly number[]): number {
  return units.reduce((sum, one) => sum + one, 0);
}

const LISTED_FOR_MS = 30 * DAY_MS;
