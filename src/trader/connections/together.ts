import { createBeginnings } from '../execution/begin-sending.ts';
import { createAnswers } from '../execution/record-answers.ts';
import { createBookings } from '../reconciliation/book-fills.ts';
import type { ActiveConnection } from './connection.ts';

/** The transactions of sends and fills that the connections of a trader share. */
export type Together = {
  readonly begin: ReturnType<typeof createBeginnings>;
  readonly record: ReturnType<typeof createAnswers>;
  readonly book: ReturnType<typeof createBookings>;
};

export function createTogether(): Together {
  return { begin: createBeginnings(), record: createAnswers(), book: createBookings() };
}

/** A connection whose orders may leave, and whose fills are booked. */
export type JoinedConnection = ActiveConnection & { readonly together: Together };
