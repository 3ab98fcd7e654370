// A stand-in for Stripe, written against its documentation alone: customers and their cards, invoices, refunds, disputes, the
// pages of Checkout, the customer portal and an invoice, idempotency keys, and signed webhooks. It charges nobody.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, createAnswerer, type Faults, refusal, type Routed } from './answer-once.ts';
import { type Books, createBooks } from './books.ts';
import { parseForm } from './form.ts';
import { invoiceRoutes, openDispute, type Stage } from './invoice-routes.ts';
import { createNotices, type Notices, type StandInSettings } from './notices.ts';
import { payerPages } from './pages.ts';
import { payerRoutes } from './payer-routes.ts';
import { showDispute, showInvoice, showList, showPayment, showRefund } from './show.ts';

export type PaymentStandIn = {
  readonly books: Books;
  readonly notices: Notices;
  readonly faults: Faults;
  /** The payer of this invoice asks their bank for so many cents back, or for all; answers the dispute's id. */
  dispute(invoice: string, amount?: number): string;
  /** The bank decides, and may decide again; the vendor tells of it. */
  decideDispute(id: string, status: 'won' | 'lost'): void;
};

export function mountPaymentStandIn(app: FastifyInstance, settings: StandInSettings): PaymentStandIn {
  const { nowMs, secretKey } = settings;
  const faults: Faults = { down: false, lost: null, broken: null };
  const books = createBooks();
  const notices = createNotices(settings);
  const origin = () => {
    const address = app.server.address();
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  };
  const stage: Stage = { books, notices, origin, nowMs };
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, parseForm(String(body))),
  );
  app.addHook('onRequest', async (request, reply) => {
    if (faults.down) await reply.status(503).send(refusal(503, 'api_error', 'down').body);
    else if (request.url.startsWith('/v1/') && request.headers.authorization !== `Bearer ${secretKey}`)
      await reply.status(401).send(refusal(401, 'invalid_request_error', 'Invalid API Key provided').body);
  });
  const answer = createAnswerer(faults);
  const routes: Readonly<Record<string, (routed: Routed) => Answer>> = {
    ...payerRoutes(stage),
    ...invoiceRoutes(stage),
  };
  for (const [route, work] of Object.entries(routes)) {
    const [method, url] = route.split(' ') as ['GET' | 'POST' | 'DELETE', string];
    app.route({ method, url, handler: (request, reply) => answer(request, reply, work) });
  }
  lists(app, stage, answer);
  payerPages(app, stage);
  return {
    books,
    notices,
    faults,
    dispute(invoice, amount) {
      const payment = books.payments.find((one) => one.invoice === invoice);
      if (payment === undefined) throw new Error(`nobody paid invoice ${invoice}`);
      return openDispute(stage, payment, amount ?? payment.amount).id;
    },
    decideDispute(id, status) {
      const dispute = books.disputes.get(id);
      if (dispute === undefined) throw new Error(`there is no dispute ${id}`);
      dispute.status = status;
      notices.note('charge.dispute.closed', showDispute(dispute));
    },
  };
}

type Answering = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: (routed: Routed) => Answer,
) => Promise<void>;
type Asked = Readonly<Record<string, string | undefined>>;

/** Their filters are in the address. Newest first. */
function lists(app: FastifyInstance, { books, origin }: Stage, answer: Answering): void {
  const list = (url: string, find: (asked: Asked) => readonly unknown[]) =>
    app.get(url, (request, reply) =>
      answer(request, reply, () => ({ status: 200, body: showList(url, find(request.query as Asked)) })),
    );
  list('/v1/invoices', ({ customer }) =>
    [...books.invoices.values()]
      .filter((one) => one.customer === customer)
      .toReversed()
      .map((one) => showInvoice(one, origin())),
  );
  list('/v1/invoice_payments', (asked) =>
    books.payments
      .filter((one) => one.invoice === asked.invoice || one.intent === asked['payment[payment_intent]'])
      .map(showPayment),
  );
  list('/v1/refunds', (asked) =>
    books.refunds.filter(({ intent }) => intent === asked.payment_intent).map(showRefund),
  );
}
