// Who a payer is at the vendor, and the card that is charged.
import type { Stripe } from 'stripe';
import type { Payer } from '#ports/payments.ts';
import type { UserId } from '#units/identifiers.ts';

/** Which customer of the vendor a person is. The first one that is kept stays. */
export type CustomerStore = {
  find(userId: UserId): Promise<string | undefined>;
  keep(userId: UserId, customer: string): Promise<string>;
  remove(userId: UserId): Promise<void>;
};

/** Made with the first charge or the first saved card. A second one, of a race, stays without any use. */
export async function customerOf(
  { client, customers }: { readonly client: Stripe; readonly customers: CustomerStore },
  { userId, email }: Payer,
): Promise<string> {
  const known = await customers.find(userId);
  if (known !== undefined) return known;
  const made = await client.customers.create(
    { email, metadata: { person: userId } },
    { idempotencyKey: `customer-${userId}` },
  );
  return customers.keep(userId, made.id);
}

/** The one that the payer chose, or else the newest that they saved; null without any. */
export async function meansOf(client: Stripe, customerId: string): Promise<string | null> {
  const customer = await client.customers.retrieve(customerId);
  if (customer.deleted === true) return null;
  const chosen = customer.invoice_settings.default_payment_method;
  if (chosen !== null) return typeof chosen === 'string' ? chosen : chosen.id;
  const saved = await client.customers.listPaymentMethods(customerId, { limit: 1 });
  return saved.data[0]?.id ?? null;
}

/** Where a card is saved, or with one already saved, changed. */
export async function meansPage(
  client: Stripe,
  { customer, returnUrl }: { readonly customer: string; readonly returnUrl: string },
): Promise<string> {
  if ((await meansOf(client, customer)) !== null) {
    const portal = await client.billingPortal.sessions.create({ customer, return_url: returnUrl });
    return portal.url;
  }
  const session = await client.checkout.sessions.create({
    mode: 'setup',
    customer,
    currency: 'usd',
    success_url: returnUrl,
    cancel_url: returnUrl,
  });
  if (session.url === null) throw new Error('the vendor named no page to save a card');
  return session.url;
}

/** Deleted at the vendor first: a crash in between asks again, and finds it gone. */
export async function eraseCustomer(
  { client, customers }: { readonly client: Stripe; readonly customers: CustomerStore },
  userId: UserId,
): Promise<void> {
  const known = await customers.find(userId);
  if (known === undefined) return;
  const found = await client.customers.retrieve(known);
  if (found.deleted !== true) await client.customers.del(known);
  await customers.remove(userId);
}
