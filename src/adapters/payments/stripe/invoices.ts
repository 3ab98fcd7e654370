// The invoices of one reference. At most one of them can be paid at any time: a new one is made only when all others are
// void, and a paid one ends it.
import type { Stripe } from 'stripe';
import type { Charge, FoundCharge } from '#ports/payments.ts';
import type { Micro } from '#units/money.ts';

const MICRO_PER_CENT = 10_000;

/** Whole cents, rounded in favour of the payer. */
export function centsOf(amount: Micro): number {
  return Math.floor(amount / MICRO_PER_CENT);
}

export function microOf(cents: number): Micro {
  return (cents * MICRO_PER_CENT) as Micro;
}

/** All of the customer that carry the reference, newest first. Read from the vendor, which alone knows after a crash. */
export async function invoicesOf(
  client: Stripe,
  customer: string,
  reference: string,
): Promise<Stripe.Invoice[]> {
  const found: Stripe.Invoice[] = [];
  for await (const invoice of client.invoices.list({ customer, limit: 100 }))
    if (invoice.metadata?.reference === reference) found.push(invoice);
  return found;
}

export function isPaid(invoice: Stripe.Invoice): boolean {
  return invoice.status === 'paid';
}

/** Payable, or one step before it. A draft without a line is neither, and waits for the next charge. */
export function isLive(invoice: Stripe.Invoice): boolean {
  return invoice.status === 'open' || (invoice.status === 'draft' && invoice.total > 0);
}

export function paidBy(invoice: Stripe.Invoice): Extract<FoundCharge, { outcome: 'paid' }> {
  return { outcome: 'paid', vendorReference: invoice.id, amount: microOf(invoice.total) };
}

export function foundIn(invoices: readonly Stripe.Invoice[]): FoundCharge {
  const paid = invoices.find(isPaid);
  if (paid !== undefined) return paidBy(paid);
  const live = invoices.find(isLive);
  if (live === undefined) return { outcome: 'none' };
  return { outcome: 'open', pageUrl: live.hosted_invoice_url ?? null };
}

/** The one to pay: the live one of this amount, finalised, or a new one. `earlier` are all of the reference. */
export async function openInvoice(
  client: Stripe,
  { charge, customer }: { readonly charge: Charge; readonly customer: string },
  earlier: readonly Stripe.Invoice[],
): Promise<Stripe.Invoice> {
  const cents = centsOf(charge.amount);
  const fitting =
    earlier.find((one) => isLive(one) && one.total === cents) ??
    earlier.find(({ status, total }) => status === 'draft' && total === 0);
  for (const other of earlier.filter(isLive)) if (other !== fitting) await drop(client, other);
  const draft = fitting ?? (await createInvoice(client, { charge, customer }, earlier.length));
  if (draft.status !== 'draft') return draft;
  if (draft.total === 0)
    await client.invoiceItems.create(
      {
        customer,
        invoice: draft.id,
        amount: cents,
        currency: charge.currency.toLowerCase(),
        description: charge.description,
      },
      { idempotencyKey: `item-${draft.id}` },
    );
  return client.invoices.finalizeInvoice(draft.id, { auto_advance: false });
}

/** Repeated by two at once, it is one invoice: both count the same earlier ones. */
function createInvoice(
  client: Stripe,
  { charge, customer }: { readonly charge: Charge; readonly customer: string },
  earlier: number,
): Promise<Stripe.Invoice> {
  const { reference, currency, description } = charge;
  return client.invoices.create(
    {
      customer,
      collection_method: 'charge_automatically',
      // The vendor tries nothing by itself: our own steps say when a payer is charged again.
      auto_advance: false,
      pending_invoice_items_behavior: 'exclude',
      currency: currency.toLowerCase(),
      description,
      metadata: { reference },
    },
    { idempotencyKey: `invoice-${reference}-${earlier}` },
  );
}

/** Afterwards it cannot be paid. Void ones are kept: their number names the next. Throws where it was paid meanwhile. */
export async function drop(client: Stripe, { id, status }: Stripe.Invoice): Promise<void> {
  if (status === 'draft') await client.invoices.finalizeInvoice(id, { auto_advance: false });
  await client.invoices.voidInvoice(id);
}
