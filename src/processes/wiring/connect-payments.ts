// The ledger that only records payments, or Stripe.
import { ledgerPayments } from '#adapters/payments/ledger/ledger.ts';
import { stripePayments } from '#adapters/payments/stripe/stripe.ts';
import type { PaymentsPort } from '#ports/payments.ts';
import { ledgerStore } from '#records/payments/ledger-store.ts';
import { payerStore } from '#records/payments/payers.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Environment } from '../environment/environment.ts';

export function connectPayments({ stripe }: Pick<Environment, 'stripe'>, database: Database): PaymentsPort {
  if (stripe === null) return ledgerPayments(ledgerStore(database));
  return stripePayments(stripe, payerStore(database, 'stripe'));
}
