// Stripe behind the port. A charge is an invoice with our reference, paid with the saved card of the payer; plans and fees are
// counted and renewed by us. Each question begins with what the vendor has under the reference, so that a crash, a lost
// answer or a second caller finds what is there.
import { Stripe } from 'stripe';
import type { ChargeOutcome, Decline, FoundCharge, PaymentsPort, RefundOutcome } from '#ports/payments.ts';
import { type CustomerStore, customerOf, eraseCustomer, meansOf, meansPage } from './customers.ts';
import { centsOf, drop, foundIn, invoicesOf, isLive, isPaid, openInvoice, paidBy } from './invoices.ts';
import { readDispute } from './disputes.ts';
import { createNotices } from './notices.ts';
import { paymentIntentOf } from './payment-intents.ts';

export type StripeSettings = {
  readonly secretKey: string;
  /** Each signs notices while a new one takes over. */
  readonly webhookSecrets: readonly string[];
  /** Of a stand-in; null: the real service. */
  readonly standInUrl: string | null;
};

export function stripePayments(settings: StripeSettings, customers: CustomerStore): PaymentsPort {
  const client = createClient(settings);
  const known = { client, customers };
  const invoicesFor: Asking = async ({ reference, payer }) => {
    const customer = await customers.find(payer.userId);
    return customer === undefined ? [] : invoicesOf(client, customer, reference);
  };
  return {
    vendor: 'stripe',
    takesMoney: true,
    async charge(charge) {
      const { payer, reference, amount } = charge;
      if (amount <= 0) throw new RangeError(`a charge must be above zero: ${amount}`);
      return unlessDown(async () => {
        const customer = await customerOf(known, payer);
        const earlier = await invoicesOf(client, customer, reference);
        const paid = earlier.find(isPaid);
        if (paid !== undefined) return paidBy(paid);
        const means = await meansOf(client, customer);
        if (means === null) return declined(client, earlier, 'no_means');
        const invoice = await openInvoice(client, { charge, customer }, earlier);
        return pay(client, invoice, means);
      });
    },
    find: (asked) => unlessDown(async () => foundIn(await invoicesFor(asked))),
    withdraw: (asked) =>
      unlessDown(async () => {
        for (const invoice of (await invoicesFor(asked)).filter(isLive)) await drop(client, invoice);
        return foundIn(await invoicesFor(asked));
      }),
    refund: ({ id, reference, payer, amount }) =>
      unlessDown(async (): Promise<RefundOutcome> => {
        const paid = (await invoicesFor({ reference, payer })).find(isPaid);
        const intent = paid && (await paymentIntentOf(client, paid.id));
        if (intent === undefined) return { outcome: 'refused', reason: 'never_paid' };
        const before = await client.refunds.list({ payment_intent: intent, limit: 100 });
        const made =
          before.data.find(({ metadata }) => metadata?.refund === id) ??
          (await client.refunds.create(
            { payment_intent: intent, amount: centsOf(amount), metadata: { refund: id } },
            { idempotencyKey: `refund-${id}` },
          ));
        return refundOutcome(made);
      }, refusedRefund),
    findDispute: (id) =>
      unlessDown(async () => ({ outcome: 'found', dispute: await readDispute(client, id) })),
    erase: (userId) =>
      unlessDown(async () => {
        await eraseCustomer(known, userId);
        return { outcome: 'erased' as const };
      }),
    openMeansPage: ({ payer, returnUrl }) =>
      unlessDown(async () => {
        const customer = await customerOf(known, payer);
        return { outcome: 'page', url: await meansPage(client, { customer, returnUrl }) };
      }),
    notices: createNotices(client, settings.webhookSecrets),
  };
}

type Asking = (asked: Parameters<PaymentsPort['find']>[0]) => Promise<Stripe.Invoice[]>;

const ANSWER_WITHIN_MS = 20_000;

function createClient({ secretKey, standInUrl }: StripeSettings): Stripe {
  const address = standInUrl === null ? null : new URL(standInUrl);
  return new Stripe(secretKey, {
    timeout: ANSWER_WITHIN_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(address && { host: address.hostname, port: address.port, protocol: 'http' as const }),
  });
}

async function pay(client: Stripe, invoice: Stripe.Invoice, means: string): Promise<ChargeOutcome> {
  try {
    const tried = await client.invoices.pay(invoice.id, { payment_method: means, off_session: true });
    if (isPaid(tried)) return paidBy(tried);
    return { outcome: 'unavailable', reason: `the invoice is ${tried.status}` };
  } catch (error) {
    // An answer that was lost says nothing; a refusal may have come after another caller's payment.
    const now = await client.invoices.retrieve(invoice.id);
    if (isPaid(now)) return paidBy(now);
    if (now.status === 'void') return { outcome: 'declined', why: 'withdrawn' };
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (CONFIRMING.has(error.code ?? '') && now.hosted_invoice_url)
      return { outcome: 'to_confirm', pageUrl: now.hosted_invoice_url };
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
    return declined(client, [now], declineOf(error));
  }
}

/** What is left of the reference is made unpayable first: a declined charge never takes money later. */
async function declined(
  client: Stripe,
  invoices: readonly Stripe.Invoice[],
  why: Decline,
): Promise<ChargeOutcome> {
  for (const invoice of invoices.filter(isLive)) await drop(client, invoice);
  return { outcome: 'declined', why };
}

const CONFIRMING: ReadonlySet<string> = new Set([
  'authentication_required',
  'invoice_payment_intent_requires_action',
]);

function declineOf({ code, decline_code: said }: Stripe.errors.StripeCardError): Decline {
  if (said === 'insufficient_funds') return 'insufficient_funds';
  return code === 'expired_card' || said === 'expired_card' ? 'expired' : 'refused';
}

function refundOutcome({ id, status, failure_reason: why }: Stripe.Refund): RefundOutcome {
  if (status === 'succeeded') return { outcome: 'made', vendorReference: id };
  if (status === 'failed' || status === 'canceled') return { outcome: 'refused', reason: why ?? status };
  return { outcome: 'unavailable', reason: `the refund is ${status}` };
}

/** More than was paid, or refunded already: asking again changes nothing. */
function refusedRefund(error: Stripe.errors.StripeError): RefundOutcome | null {
  return error instanceof Stripe.errors.StripeInvalidRequestError
    ? { outcome: 'refused', reason: error.message }
    : null;
}

/** Whatever the vendor's client throws is no answer; anything else is a fault of ours. */
async function unlessDown<Outcome extends { readonly outcome: string }>(
  work: () => Promise<Outcome>,
  known: (error: Stripe.errors.StripeError) => Outcome | null = () => null,
): Promise<Outcome | Extract<FoundCharge, { outcome: 'unavailable' }>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    return known(error) ?? { outcome: 'unavailable', reason: `${error.type}: ${error.message}` };
  }
}
