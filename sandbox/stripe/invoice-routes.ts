import { type Answer, missing, ok, refusal, type Routed } from './answer-once.ts';
import {
  type Books,
  type Card,
  CARDS,
  type Invoice,
  newId,
  payInvoice,
  type Payment,
  type SandboxDispute,
} from './books.ts';
import { textOf, textsOf } from './form.ts';
import type { Notices } from './notices.ts';
import { showDispute, showInvoice } from './show.ts';

export type Stage = {
  readonly books: Books;
  readonly notices: Notices;
  readonly origin: () => string;
  readonly nowMs: () => number;
};
type Route = (routed: Routed) => Answer;

export function invoiceRoutes(stage: Stage): Readonly<Record<string, Route>> {
  const { books, notices, origin } = stage;
  const show = (invoice: Invoice) => showInvoice(invoice, origin());
  const withInvoice =
    (work: (invoice: Invoice, routed: Routed) => Answer): Route =>
    (routed) => {
      const invoice = books.invoices.get(routed.params.id ?? '');
      return invoice === undefined ? missing('invoice') : work(invoice, routed);
    };
  return {
    'POST /v1/invoices': ({ fields }) => {
      const customer = textOf(fields, 'customer') ?? '';
      if (!books.customers.has(customer)) return missing('customer');
      const invoice: Invoice = {
        id: newId('in'),
        customer,
        metadata: textsOf(fields, 'metadata'),
        description: textOf(fields, 'description') ?? null,
        currency: textOf(fields, 'currency') ?? 'usd',
        created: Math.floor(stage.nowMs() / 1000),
        status: 'draft',
        total: 0,
      };
      books.invoices.set(invoice.id, invoice);
      return ok(show(invoice));
    },
    'POST /v1/invoiceitems': ({ fields }) => {
      const invoice = books.invoices.get(textOf(fields, 'invoice') ?? '');
      if (invoice === undefined) return missing('invoice');
      if (invoice.status !== 'draft')
        return refusal(400, 'invalid_request_error', 'This invoice is no longer editable');
      const amount = Number(textOf(fields, 'amount'));
      invoice.total += amount;
      return ok({ id: newId('ii'), object: 'invoiceitem', invoice: invoice.id, amount });
    },
    'GET /v1/invoices/:id': withInvoice((invoice) => ok(show(invoice))),
    'POST /v1/invoices/:id/finalize': withInvoice((invoice) => {
      if (invoice.status !== 'draft')
        return refusal(400, 'invalid_request_error', 'This invoice is already finalized');
      invoice.status = invoice.total === 0 ? 'paid' : 'open';
      notices.note('invoice.finalized', show(invoice));
      return ok(show(invoice));
    }),
    'POST /v1/invoices/:id/void': withInvoice((invoice) => {
      if (invoice.status !== 'open')
        return refusal(400, 'invalid_request_error', 'You can only void an open invoice');
      invoice.status = 'void';
      notices.note('invoice.voided', show(invoice));
      return ok(show(invoice));
    }),
    'POST /v1/invoices/:id/pay': withInvoice((invoice, { fields }) => {
      const named = textOf(fields, 'payment_method');
      const card = books.cards.find(({ id, customer }) => id === named && customer === invoice.customer);
      if (card === undefined) return missing('payment_method');
      return charge(stage, { invoice, card, isPresent: textOf(fields, 'off_session') !== 'true' });
    }),
  };
}

/** A bank that wants the payer to confirm it refuses while they are away. */
export function charge(
  stage: Stage,
  {
    invoice,
    card,
    isPresent,
  }: { readonly invoice: Invoice; readonly card: Card; readonly isPresent: boolean },
): Answer {
  const { books, notices, origin } = stage;
  if (invoice.status === 'paid')
    return refusal(400, 'invalid_request_error', 'Invoice is already paid', { code: 'invoice_already_paid' });
  if (invoice.status !== 'open')
    return refusal(400, 'invalid_request_error', `An invoice that is ${invoice.status} cannot be paid`);
  const behaviour = CARDS[card.number];
  const code = refusalOf(behaviour, isPresent);
  if (code !== null) {
    notices.note('invoice.payment_failed', showInvoice(invoice, origin()));
    return refusal(402, 'card_error', 'Your card was declined.', code);
  }
  const payment = payInvoice(books, invoice);
  notices.note('invoice.paid', showInvoice(invoice, origin()));
  if (behaviour === 'disputed') openDispute(stage, payment, payment.amount);
  return ok(showInvoice(invoice, origin()));
}

/** The payer asks their bank for money back, all of a payment or a part. */
export function openDispute(
  { books, notices, nowMs }: Stage,
  { intent }: Pick<Payment, 'intent'>,
  amount: number,
): SandboxDispute {
  const dueBy = Math.floor(nowMs() / 1000) + ANSWER_WITHIN_SECONDS;
  const dispute: SandboxDispute = { id: newId('dp'), intent, amount, dueBy, status: 'needs_response' };
  books.disputes.set(dispute.id, dispute);
  notices.note('charge.dispute.created', showDispute(dispute));
  return dispute;
}

const ANSWER_WITHIN_SECONDS = 7 * 86_400;

function refusalOf(behaviour: (typeof CARDS)[keyof typeof CARDS], isPresent: boolean): object | null {
  switch (behaviour) {
    case 'declined':
      return { code: 'card_declined', decline_code: 'generic_decline' };
    case 'insufficient_funds':
      return { code: 'card_declined', decline_code: 'insufficient_funds' };
    case 'expired_card':
      return { code: 'expired_card', decline_code: 'expired_card' };
    case 'authentication_required':
      return isPresent ? null : { code: 'authentication_required', decline_code: 'authentication_required' };
    default:
      return null;
  }
}
