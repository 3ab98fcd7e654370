import type { PlantedBug } from './planted-bug.ts';

const UNREAD = 'src/engine/execution/reconciliation/unread-rows.ts';
const UNREAD_TEST = 'src/engine/execution/reconciliation/unread-rows.test.ts';

/** What a broker's lists say, and what of them cannot be read. */
export const READING_BUGS: readonly PlantedBug[] = [
  {
    name: 'a row that names an order of ours only by the broker’s id is taken for the client’s own',
    file: UNREAD,
    from: 'return row.brokerOrderId !== null && row.brokerOrderId === order.brokerOrderId;',
    to: 'return false;',
    suites: [UNREAD_TEST],
  },
  {
    name: 'an instrument whose position cannot be read may be sold',
    file: 'src/engine/execution/orders/order-holds.ts',
    from: "return unsure === null || (closes(snapshot) && !unsure.has('positions'));",
    to: 'return unsure === null || closes(snapshot);',
    suites: ['src/engine/execution/orders/order-holds.test.ts', 'tests/trading/unread-rows.test.ts'],
  },
  {
    name: 'a position that cannot be read is a difference',
    file: 'src/engine/execution/reconciliation/reconcile-positions.ts',
    from: 'const books = snapshot.books.filter(({ symbol }) => !unsure.has(symbol));',
    to: 'const { books } = snapshot;',
    suites: ['src/engine/execution/reconciliation/reconcile-positions.test.ts'],
  },
  {
    name: 'what an account holds beside the books is taken from one look',
    file: 'src/engine/execution/reconciliation/reconcile-positions.ts',
    from: 'return msBetween(since, readAt) > 0 || !seen.beside.has(symbol);',
    to: 'return msBetween(since, readAt) >= 0;',
    suites: ['src/engine/execution/reconciliation/reconcile-positions.test.ts'],
  },
  {
    name: 'a fill that only positions show is taken for a holding of the owner',
    file: 'src/engine/execution/reconciliation/reconcile-positions.ts',
    from: '(listed.has(symbol) || msBetween(stillSince, open.sentAt) > 0)',
    to: 'true',
    suites: ['src/engine/execution/reconciliation/reconcile-positions.test.ts'],
  },
  {
    name: 'resting stops explain every difference for as long as they rest',
    file: 'src/engine/execution/reconciliation/reconcile-positions.ts',
    from: 'if (open !== undefined && !isProven && isWithin(difference, known, open)) continue;',
    to: 'if (open !== undefined && isWithin(difference, beside.get(symbol) ?? 0, open)) continue;',
    suites: ['src/engine/execution/reconciliation/reconcile-positions.test.ts'],
  },
  {
    name: 'a revision that is declared external leaves out what it first cost',
    file: 'src/engine/adjustments/suspense-entry.ts',
    from: 'commission: commission === null ? null : micro(-commission),',
    to: 'commission: null,',
    suites: ['src/engine/adjustments/suspense-entry.test.ts'],
  },
  {
    name: 'a booking that moves no money has no place among the others',
    file: 'src/records/portfolio/ledger.ts',
    from: 'const entries = moved.length > 0 ? moved : NOTHING_MOVED;',
    to: 'const entries = moved;',
    suites: ['src/records/portfolio/ledger.test.ts'],
  },
  {
    name: 'an order ends because the books agree again, without its executions',
    file: 'src/engine/execution/reconciliation/resolve-in-flight.ts',
    from: "(absence === 'books_agree' && isCovered)",
    to: "absence === 'books_agree'",
    suites: ['src/engine/execution/reconciliation/resolve-in-flight.test.ts'],
  },
  {
    name: 'a token that another session has replaced counts as a permission that is gone',
    file: 'src/adapters/broker/interactive-brokers/failure-of.ts',
    from: "if (status === GONE) return failed('no_session', said);",
    to: "if (status === GONE) return failed('unauthorized', said);",
    suites: ['tests/broker/answer-forms.test.ts'],
  },
  {
    name: 'a refusal of an order that left before is taken at its word',
    file: 'src/engine/execution/orders/submit-result.ts',
    from: "if (wasSent) return { type: 'change', status: 'unknown', reason: { code: 'no_answer' } };",
    to: '',
    suites: ['src/engine/execution/orders/submit-result.test.ts'],
  },
  {
    name: 'positions of other accounts are read as this account’s being flat',
    file: 'src/adapters/broker/interactive-brokers/portfolio/portfolio.ts',
    from: "if (isForeign) throw new Unreadable('the positions of another account');",
    to: '',
    suites: ['tests/broker/odd-rows.test.ts'],
  },
  {
    name: 'the live market trades real money at an address that begins like the practice one',
    file: 'src/processes/environment/broker-refusal.ts',
    from: 'hostOf(baseUrl) === ALPACA_PAPER_HOST',
    to: 'baseUrl.includes(ALPACA_PAPER_HOST)',
    suites: ['src/processes/environment/environment.test.ts'],
  },
  {
    name: 'a live bar is offered before its day is complete',
    file: 'src/adapters/market-data/alpaca/daily-bars.ts',
    from: 'closesAt + BAR_DELAY_MS <= now',
    to: 'closesAt - BAR_DELAY_MS <= now',
    suites: ['tests/conformance/market-data/conformance.test.ts'],
  },
  {
    name: 'half a live history looks whole when a page repeats',
    file: 'src/adapters/market-data/alpaca/daily-bars.ts',
    from: "      return failure('malformed', 'the vendor repeats a page: the list has no end');",
    to: '      return { ok: true, value: { bars, malformed: null } };',
    suites: ['src/adapters/market-data/alpaca/alpaca-feed.test.ts'],
  },
  {
    name: 'a live quote is dated by its arrival',
    file: 'src/adapters/market-data/alpaca/alpaca-feed.ts',
    from: 'open, at };',
    to: 'open, at: Date.now() as typeof at };',
    suites: ['src/adapters/market-data/alpaca/alpaca-feed.test.ts'],
  },
  {
    name: 'a dividend in another currency is booked as dollars',
    file: 'src/adapters/market-data/alpaca/actions.ts',
    from: "currency: z.literal('USD').optional(),",
    to: '',
    suites: ['src/adapters/market-data/alpaca/alpaca-feed.test.ts'],
  },
];
