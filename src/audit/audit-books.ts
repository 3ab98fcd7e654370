// Recomputes the books of one deployment from what was booked, and names each row that is not what the others make of it.
import { checkBills } from './check-bills.ts';
import { checkDays } from './check-days.ts';
import { checkEvents } from './check-events.ts';
import { checkStanding } from './check-standing.ts';
import { checkTrips } from './check-trips.ts';
import { foldBookings } from './fold-bookings.ts';
import type { Books, Finding, Market } from './rows.ts';

export function auditBooks(books: Books, market: Market): readonly Finding[] {
  const { snapshots, steps, findings } = foldBookings(books, market.instruments);
  const { deployment } = books;
  const now = snapshots.at(-1);
  if (now === undefined)
    return [
      {
        kind: 'deployment',
        row: `deployment ${deployment.id}`,
        figure: 'ledger',
        stored: null,
        recomputed: 'an opening',
      },
    ];
  return [
    ...findings,
    ...checkEvents(books, market),
    ...checkStanding(books, now, market),
    ...checkTrips(books, steps, market),
    ...checkDays(books, snapshots, market),
    ...checkBills(books, snapshots, market),
    ...checkFeePeriod(books),
  ];
}

/** The period of an account changes only with a row of the audit log. */
function checkFeePeriod({ deployment }: Books): Finding[] {
  const logged = deployment.feePeriods.at(-1)!;
  if (deployment.feePeriod === logged) return [];
  return [
    {
      kind: 'fee period',
      row: `of the owner of deployment ${deployment.id}`,
      figure: 'length',
      stored: deployment.feePeriod,
      recomputed: logged,
    },
  ];
}
