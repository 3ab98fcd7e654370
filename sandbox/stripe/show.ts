// The vendor's objects, as far as a client of ours may read them.
import type { Books, Card, Customer, Invoice, Payment, Refund, SandboxDispute } from './books.ts';

export function showCustomer({ id, email, metadata, defaultCard }: Customer) {
  return {
    id,
    object: 'customer',
    email,
    metadata,
    invoice_settings: { default_payment_method: defaultCard },
  };
}

export function showCard({ id, customer, number }: Card) {
  return {
    id,
    object: 'payment_method',
    type: 'card',
    customer,
    card: { brand: 'visa', last4: number.slice(-4) },
  };
}

export function showInvoice(
  { id, customer, metadata, description, currency, created, status, total }: Invoice,
  origin: string,
) {
  return {
    id,
    object: 'invoice',
    customer,
    metadata,
    description,
    currency,
    created,
    status,
    total,
    amount_due: total,
    amount_paid: status === 'paid' ? total : 0,
    collection_method: 'charge_automatically',
    auto_advance: false,
    hosted_invoice_url: status === 'draft' ? null : `${origin}/pages/invoice/${id}`,
  };
}

export function showPayment({ id, intent, invoice, amount }: Payment) {
  return {
    id,
    object: 'invoice_payment',
    invoice,
    amount_paid: amount,
    status: 'paid',
    payment: { type: 'payment_intent', payment_intent: intent },
  };
}

export function showRefund({ id, intent, amount, metadata, status }: Refund) {
  return { id, object: 'refund', payment_intent: intent, amount, metadata, status };
}

export function showDispute({ id, intent, amount, dueBy, status }: SandboxDispute) {
  return {
    id,
    object: 'dispute',
    payment_intent: intent,
    amount,
    status,
    reason: 'fraudulent',
    evidence_details: { due_by: dueBy, has_evidence: false, past_due: false, submission_count: 0 },
    metadata: {},
  };
}

export function showList(url: string, data: readonly unknown[]) {
  return { object: 'list', url, has_more: false, data };
}

export function refundable(books: Books, intent: string): number {
  const paid = books.payments.find((one) => one.intent === intent)?.amount ?? 0;
  const given = books.refunds.filter((one) => one.intent === intent && one.status === 'succeeded');
  return paid - given.reduce((sum, { amount }) => sum + amount, 0);
}
