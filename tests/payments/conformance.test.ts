// The same exam for each vendor of payments: the ledger of the demo world, and Stripe against its stand-in.
import Fastify from 'fastify';
import { afterAll, describe, test } from 'vitest';
import { ledgerPayments } from '#adapters/payments/ledger/ledger.ts';
import { ledgerStore } from '#records/payments/ledger-store.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { type Micro, ZERO_MICRO } from '#units/money.ts';
import { type Desk, newPayer, PAYMENT_CASES } from './payment-cases.ts';
import { paymentStage } from './payment-stage.ts';

const records = await testDatabase();
const app = Fastify();
const stage = await paymentStage(app);
afterAll(() => app.close());

async function sum(text: string, reference: string): Promise<Micro> {
  const { rows } = await records.pool.query<{ sum: string }>(text, [reference]);
  return Number(rows[0]?.sum ?? ZERO_MICRO) as Micro;
}

const ledger: Desk = {
  payments: ledgerPayments(ledgerStore(records.database)),
  payer: async () => newPayer(),
  taken: (reference) => sum('select sum(amount_micro) from ledger_payments where reference = $1', reference),
  givenBack: (reference) =>
    sum('select sum(amount_micro) from ledger_refunds where reference = $1', reference),
};

describe.each([
  ['ledger', ledger],
  ['stripe', stage.desk],
] as const)('%s', (_vendor, desk) => {
  test.each(PAYMENT_CASES.map(({ says, run }) => [says, run] as const))('%s', (_says, run) => run(desk));
});
