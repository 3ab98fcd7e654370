// The vendor's own pages, plainly: a card is saved or changed, or an invoice is confirmed with the bank. Nothing of them is
// told to whoever opened them but by notices and answers.
import type { FastifyInstance } from 'fastify';
import { addCard, CARDS, type CardNumber } from './books.ts';
import { type Fields, textOf } from './form.ts';
import { charge, type Stage } from './invoice-routes.ts';

export function payerPages(app: FastifyInstance, stage: Stage): void {
  const { books } = stage;
  app.get<{ Params: { kind: string; id: string } }>('/pages/:kind/:id', (request, reply) => {
    const { kind, id } = request.params;
    reply.type('text/html; charset=utf-8');
    if (kind === 'invoice') {
      const invoice = books.invoices.get(id);
      if (invoice === undefined) return reply.status(404).send(page('No such invoice', ''));
      if (invoice.status !== 'open') return reply.send(page(`This invoice is ${invoice.status}`, ''));
      const amount = `$${(invoice.total / 100).toFixed(2)}`;
      return reply.send(page(`Confirm ${amount}`, form('Confirm with your bank')));
    }
    const opened = books.pages.get(id);
    if (opened === undefined) return reply.status(404).send(page('This page has expired', ''));
    const back = `<p><a href="${escaped(opened.returnUrl)}">Back</a></p>`;
    return reply.send(page(kind === 'setup' ? 'Save a card' : 'Change your card', form('Save card') + back));
  });
  app.post<{ Params: { kind: string; id: string } }>('/pages/:kind/:id', (request, reply) => {
    const { kind, id } = request.params;
    const number = (textOf((request.body ?? {}) as Fields, 'number') ?? '').replaceAll(' ', '');
    const known = (Object.keys(CARDS) as CardNumber[]).find((one) => one === number);
    reply.type('text/html; charset=utf-8');
    if (kind === 'invoice') {
      const invoice = books.invoices.get(id);
      const card = invoice && books.cards.findLast(({ customer }) => customer === invoice.customer);
      if (invoice === undefined || card === undefined)
        return reply.status(404).send(page('No such invoice', ''));
      const { status } = charge(stage, { invoice, card, isPresent: true });
      return reply.status(status).send(page(status === 200 ? 'Payment complete' : 'Payment failed', ''));
    }
    const opened = books.pages.get(id);
    if (opened === undefined || known === undefined)
      return reply.status(400).send(page('Your card number is invalid', form('Save card')));
    const card = addCard(books, opened.customer, known);
    // The portal makes it the default; a saved card of Checkout is only attached.
    const customer = books.customers.get(opened.customer);
    if (opened.kind === 'portal' && customer !== undefined) customer.defaultCard = card.id;
    return reply.redirect(opened.returnUrl, 303);
  });
}

function form(button: string): string {
  const field = button.startsWith('Save')
    ? '<label>Card number <input name="number" inputmode="numeric" value="4242 4242 4242 4242"></label>'
    : '';
  return `<form method="post">${field}<button>${button}</button></form>`;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title>
<body style="font-family:sans-serif;max-width:24rem;margin:3rem auto"><h1>${title}</h1>${body}</body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
