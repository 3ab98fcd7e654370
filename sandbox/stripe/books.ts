// What the stand-in knows: customers with their cards, invoices, payments, refunds and disputes. Amounts are whole cents.
import { randomBytes } from 'node:crypto';

type Metadata = Readonly<Record<string, string>>;

/** What each of the vendor's published test cards does. */
export const CARDS = {
  '4242424242424242': 'pays',
  '4000000000000341': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000002500003155': 'authentication_required',
  '4000000000000259': 'disputed',
} as const;
export type CardNumber = keyof typeof CARDS;

export type Card = { readonly id: string; readonly customer: string; readonly number: CardNumber };

export type Customer = {
  readonly id: string;
  readonly email: string;
  readonly metadata: Metadata;
  defaultCard: string | null;
};

export type Invoice = {
  readonly id: string;
  readonly customer: string;
  readonly metadata: Metadata;
  readonly description: string | null;
  readonly currency: string;
  readonly created: number;
  status: 'draft' | 'open' | 'paid' | 'void';
  total: number;
};

export type Payment = {
  readonly id: string;
  readonly intent: string;
  readonly invoice: string;
  readonly amount: number;
};

export type Refund = {
  readonly id: string;
  readonly intent: string;
  readonly amount: number;
  readonly metadata: Metadata;
  status: 'succeeded' | 'failed';
};

export type SandboxDispute = {
  readonly id: string;
  readonly intent: string;
  readonly amount: number;
  /** Whole seconds. */
  readonly dueBy: number;
  status: 'needs_response' | 'won' | 'lost';
};

/** A page that was opened for one customer: setup saves a card, portal changes it. */
export type Page = {
  readonly id: string;
  readonly kind: 'setup' | 'portal';
  readonly customer: string;
  readonly returnUrl: string;
};

export type Books = ReturnType<typeof createBooks>;

export function createBooks() {
  return {
    customers: new Map<string, Customer>(),
    /** Ids of deleted ones: the vendor still says that they were there. */
    erased: new Set<string>(),
    /** Newest last. */
    cards: [] as Card[],
    invoices: new Map<string, Invoice>(),
    payments: [] as Payment[],
    refunds: [] as Refund[],
    disputes: new Map<string, SandboxDispute>(),
    pages: new Map<string, Page>(),
  };
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

export function cardsOf(books: Books, customer: string): readonly Card[] {
  return books.cards.filter((card) => card.customer === customer).toReversed();
}

export function addCard(books: Books, customer: string, number: CardNumber): Card {
  const card = { id: newId('pm'), customer, number };
  books.cards.push(card);
  return card;
}

/** Of an invoice that is open; the caller tells of it. */
export function payInvoice(books: Books, invoice: Invoice): Payment {
  invoice.status = 'paid';
  const payment = { id: newId('inpay'), intent: newId('pi'), invoice: invoice.id, amount: invoice.total };
  books.payments.push(payment);
  return payment;
}
