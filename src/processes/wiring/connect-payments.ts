import { stripePayments } from '#adapters/payments/stripe/stripe.ts';
import type { PaymentsPort } from '#ports/payments.ts';
import { payerStore } from '#records/payments/payers.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Environment } from '../environment/environment.ts';

/** Stripe by its settings; without them, what the world has instead. */
export function connectPayments(
  { stripe }: Pick<Environment, 'stripe'>,
  database: Database,
  instead: () => PaymentsPort,
): PaymentsPort {
  return stripe === null ? instead() : stripePayments(stripe, payerStore(database, 'stripe'));
}
