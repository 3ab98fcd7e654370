// Invoices and payments name each other only through the vendor's list of invoice payments.
import type { Stripe } from 'stripe';

export async function paymentIntentOf(client: Stripe, invoiceId: string): Promise<string | undefined> {
  const payments = await client.invoicePayments.list({ invoice: invoiceId, status: 'paid', limit: 10 });
  const intents = payments.data.flatMap(({ payment }) => payment.payment_intent ?? []);
  return intents.map((intent) => (typeof intent === 'string' ? intent : intent.id))[0];
}

/** Our reference; null where the payment is of no invoice of ours. */
export async function referenceOf(client: Stripe, intent: string): Promise<string | null> {
  const payments = await client.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
    limit: 10,
  });
  const [first] = payments.data;
  if (first === undefined) return null;
  const id = typeof first.invoice === 'string' ? first.invoice : first.invoice.id;
  return (await client.invoices.retrieve(id)).metadata?.reference ?? null;
}
