// Customers, their cards, and the pages that are opened for them; refunds and disputes of what they paid.
import { type Answer, missing, ok, refusal, type Routed } from './answer-once.ts';
import { cardsOf, type Customer, newId, type Page } from './books.ts';
import { textOf, textsOf } from './form.ts';
import type { Stage } from './invoice-routes.ts';
import { refundable, showCard, showCustomer, showDispute, showList, showRefund } from './show.ts';

const erased = (id: string) => ({ id, object: 'customer', deleted: true });

type Route = (routed: Routed) => Answer;

export function payerRoutes({ books, notices, origin }: Stage): Readonly<Record<string, Route>> {
  const openPage = (page: Omit<Page, 'id'>, prefix: string): Page => {
    const opened = { ...page, id: newId(prefix) };
    books.pages.set(opened.id, opened);
    return opened;
  };
  const urlOf = ({ kind, id }: Page) => `${origin()}/pages/${kind}/${id}`;
  return {
    'POST /v1/customers': ({ fields }) => {
      const customer: Customer = {
        id: newId('cus'),
        email: textOf(fields, 'email') ?? '',
        metadata: textsOf(fields, 'metadata'),
        defaultCard: null,
      };
      books.customers.set(customer.id, customer);
      return ok(showCustomer(customer));
    },
    'GET /v1/customers/:id': ({ params }) => {
      const customer = books.customers.get(params.id ?? '');
      if (customer !== undefined) return ok(showCustomer(customer));
      return books.erased.has(params.id ?? '') ? ok(erased(params.id!)) : missing('customer');
    },
    'DELETE /v1/customers/:id': ({ params }) => {
      if (!books.customers.delete(params.id ?? '')) return missing('customer');
      books.erased.add(params.id!);
      return ok(erased(params.id!));
    },
    'POST /v1/checkout/sessions': ({ fields }) => {
      const customer = textOf(fields, 'customer') ?? '';
      if (textOf(fields, 'mode') !== 'setup' || !books.customers.has(customer))
        return refusal(400, 'invalid_request_error', 'Only mode=setup of a known customer is played here');
      const page = openPage(
        { kind: 'setup', customer, returnUrl: textOf(fields, 'success_url') ?? '' },
        'cs_test',
      );
      return ok({ id: page.id, object: 'checkout.session', mode: 'setup', status: 'open', url: urlOf(page) });
    },
    'POST /v1/billing_portal/sessions': ({ fields }) => {
      const customer = textOf(fields, 'customer') ?? '';
      if (!books.customers.has(customer)) return missing('customer');
      const page = openPage(
        { kind: 'portal', customer, returnUrl: textOf(fields, 'return_url') ?? '' },
        'bps',
      );
      return ok({ id: page.id, object: 'billing_portal.session', url: urlOf(page) });
    },
    'GET /v1/customers/:id/payment_methods': ({ params }) =>
      ok(showList('/v1/payment_methods', cardsOf(books, params.id ?? '').map(showCard))),
    'POST /v1/refunds': ({ fields }) => {
      const intent = textOf(fields, 'payment_intent') ?? '';
      const amount = Number(textOf(fields, 'amount'));
      if (amount > refundable(books, intent))
        return refusal(
          400,
          'invalid_request_error',
          'Refund amount is greater than unrefunded amount on charge',
        );
      const refund = {
        id: newId('re'),
        intent,
        amount,
        metadata: textsOf(fields, 'metadata'),
        status: 'succeeded' as const,
      };
      books.refunds.push(refund);
      notices.note('refund.updated', showRefund(refund));
      return ok(showRefund(refund));
    },
    'GET /v1/disputes/:id': ({ params }) => {
      const dispute = books.disputes.get(params.id ?? '');
      return dispute === undefined ? missing('dispute') : ok(showDispute(dispute));
    },
  };
}
