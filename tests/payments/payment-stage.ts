// Stripe's adapter before its stand-in, over the vendor's own client and real HTTP.
import type { FastifyInstance } from 'fastify';
import { stripePayments } from '#adapters/payments/stripe/stripe.ts';
import type { Charge, PaymentsPort } from '#ports/payments.ts';
import { addCard, type CardNumber, type Invoice } from '#sandbox/stripe/books.ts';
import { mountPaymentStandIn, type PaymentStandIn } from '#sandbox/stripe/stand-in.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import { type Desk, newPayer } from './payment-cases.ts';

export const SECRETS = {
  secretKey: 'sk_test_of_a_stand_in_only',
  webhookSecret: 'whsec_of_a_stand_in_only_and_long',
};

export type PaymentStage = {
  readonly standIn: PaymentStandIn;
  readonly payments: PaymentsPort;
  readonly desk: Desk;
  /** A payer with this card, or without any. */
  payer(card?: CardNumber | null): Promise<Charge['payer']>;
  invoices(reference: string): readonly Invoice[];
};

/** `customers` outlive the adapter, as records do. */
export async function paymentStage(
  app: FastifyInstance,
  nowMs: () => number = Date.now,
): Promise<PaymentStage> {
  const standIn = mountPaymentStandIn(app, { nowMs, ...SECRETS });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const kept = new Map<UserId, string>();
  const payments = stripePayments(
    { secretKey: SECRETS.secretKey, webhookSecrets: [SECRETS.webhookSecret], standInUrl: address },
    {
      find: async (userId) => kept.get(userId),
      keep: async (userId, customer) => {
        if (!kept.has(userId)) kept.set(userId, customer);
        return kept.get(userId)!;
      },
      remove: async (userId) => {
        kept.delete(userId);
      },
    },
  );
  const payer = async (card: CardNumber | null = '4242424242424242') => {
    const who = newPayer();
    await payments.openMeansPage?.({ payer: who, returnUrl: 'http://product.test/billing' });
    if (card !== null) addCard(standIn.books, kept.get(who.userId)!, card);
    return who;
  };
  const invoices = (reference: string) =>
    [...standIn.books.invoices.values()].filter(({ metadata }) => metadata.reference === reference);
  const intentsOf = (reference: string) => {
    const ids = new Set(invoices(reference).map(({ id }) => id));
    return standIn.books.payments.filter(({ invoice }) => ids.has(invoice));
  };
  const dollarsOf = (amounts: readonly number[]) =>
    (amounts.reduce((sum, one) => sum + one, 0) * 10_000) as Micro;
  return {
    standIn,
    payments,
    payer,
    invoices,
    desk: {
      payments,
      payer: () => payer(),
      taken: async (reference) => dollarsOf(intentsOf(reference).map(({ amount }) => amount)),
      givenBack: async (reference) => {
        const intents = new Set(intentsOf(reference).map(({ intent }) => intent));
        return dollarsOf(
          standIn.books.refunds.filter(({ intent }) => intents.has(intent)).map(({ amount }) => amount),
        );
      },
    },
  };
}
