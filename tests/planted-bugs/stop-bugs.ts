import type { PlantedBug } from './planted-bug.ts';

const STOPS = ['src/trader/execution/protective-stops.test.ts', 'tests/trading/stops-and-orders.test.ts'];
const UNSEEN = 'src/trader/execution/unseen-stops.test.ts';
const HOLDS = 'src/engine/execution/orders/order-holds.test.ts';

/** Protective stops at the broker. */
export const STOP_BUGS: readonly PlantedBug[] = [
  {
    name: 'a stop that the broker no longer shows is called ended',
    file: 'src/engine/execution/reconciliation/resolve-in-flight.ts',
    from: 'return calendar !== null && now >= dayOrderEndsAt(calendar, placedAt(order));',
    to: "return order.visibility === 'shown_earlier' || (calendar !== null && now >= dayOrderEndsAt(calendar, placedAt(order)));",
    suites: [UNSEEN],
  },
  {
    name: 'an exit waits for an unseen stop and nobody hears of it',
    file: 'src/engine/execution/orders/cancel-checks.ts',
    from: 'return cancelTries.count > 1 || msBetween(cancelTries.lastAt, realNow) * speed >= CANCEL_AGAIN.firstMs;',
    to: 'return false;',
    suites: ['src/engine/execution/orders/cancel-checks.test.ts', UNSEEN],
  },
  {
    name: 'an unseen stop is asked to cancel for ever',
    file: 'src/engine/execution/orders/cancel-checks.ts',
    from: '(cancelTries?.count ?? 0) >= UNSEEN_CANCELS_MAX',
    to: '(cancelTries?.count ?? 0) >= UNSEEN_CANCELS_MAX * 1e9',
    suites: ['src/engine/execution/orders/cancel-checks.test.ts', UNSEEN],
  },
  {
    name: 'the owner hears of each refusal of a stop',
    file: 'src/engine/execution/orders/order-ended.ts',
    from: 'ended.isRepeated !== true && (status',
    to: '(status',
    suites: ['tests/trading/stops-and-orders.test.ts'],
  },
  {
    name: 'a stop is placed for a session that is about to close',
    file: 'src/engine/execution/stops/protective-stops.ts',
    from: 'return session !== null && session.closesAt - now > LAST_STOP_MS;',
    to: 'return true;',
    suites: ['src/engine/execution/stops/place-stops.test.ts', ...STOPS],
  },
  {
    name: 'an exit is sent while the stop of its position is still working',
    file: 'src/engine/execution/orders/order-holds.ts',
    from: 'if (stop === undefined) return null;',
    to: 'if (stop !== undefined) return null;',
    suites: [HOLDS, ...STOPS],
  },
  {
    name: 'a stop is cancelled for an order that waits for something else',
    file: 'src/records/execution/protective-orders.ts',
    from: "and ${AWAITS_STOP} and e.purpose <> 'protective'",
    to: "and e.purpose <> 'protective'",
    suites: STOPS,
  },
  {
    name: 'a position stays without its stop while an order of it waits for something else',
    file: 'src/engine/risk/protective-stop.ts',
    from: 'const alone = { working: [], ',
    to: 'const alone = { working: state.working, ',
    suites: STOPS,
  },
  {
    name: 'a stop triggers into a purchase of the same account',
    file: 'src/engine/execution/orders/order-holds.ts',
    from: "return stop.side === 'sell' ? limit.limitPrice <= stop.limitPrice : limit.limitPrice >= stop.limitPrice;",
    to: 'return limit.limitPrice < 0;',
    suites: [HOLDS, ...STOPS],
  },
  {
    name: 'a second stop is taken for one position',
    file: 'src/records/schema/trading.sql',
    from: 'create unique index one_protective_order',
    to: 'create index one_protective_order',
    suites: STOPS,
  },
  {
    name: 'the strategy buys back what a protective stop has sold',
    file: 'src/engine/execution/reconciliation/book-fill.ts',
    from: 'after: isProtective(order) ? stopOut(next.after, fill) : next.after,',
    to: 'after: next.after,',
    suites: ['src/engine/execution/reconciliation/book-fill.test.ts', ...STOPS],
  },
  {
    name: 'a stop stays when the owner has sold externally what it would sell',
    file: 'src/engine/execution/stops/oversized-stops.ts',
    from: 'return missingQuantity({ side, closing: leaving, others: [] }, account) > 0;',
    to: 'return missingQuantity({ side, closing: leaving, others: [] }, account) > 1e15;',
    suites: ['src/engine/execution/stops/place-stops.test.ts', ...STOPS],
  },
  {
    name: 'a purchase on an account that is short after a bust is never sold',
    file: 'src/engine/execution/reconciliation/external-position.ts',
    from: 'if (isShortfall) short -= units;',
    to: 'if (isShortfall) short -= 0;',
    suites: ['tests/trading/adjusted-shortfalls.test.ts'],
  },
  {
    name: 'a stop that cannot be sent is tried at each look, and holds up its connection',
    file: 'src/engine/execution/orders/submit-result.ts',
    from: 'return !isProtective(order) || isTryDue(order.sendTries ?? undefined, realNow, SEND_STOP_AGAIN);',
    to: 'return true;',
    suites: ['src/engine/execution/orders/submit-result.test.ts', 'tests/trading/stops-and-orders.test.ts'],
  },
  {
    name: 'in a fast market nobody hears of a cancellation that is not confirmed before the day is over',
    file: 'src/trader/reconciliation/reconcile-orders.ts',
    from: 'isCancelOverdue({ ...order, cancelLooks }, { realNow: realNow(), speed })',
    to: 'isCancelOverdue(order, { realNow: realNow(), speed: 0 })',
    suites: [UNSEEN],
  },
  {
    name: 'a stop that works at the broker after it has ended in our rows counts as gone',
    file: 'src/engine/execution/stops/closing-excess.ts',
    from: 'if (report === undefined ? !mayWork : !report.isWorking) return [];',
    to: 'if (!mayWork) return [];',
    suites: ['src/engine/execution/stops/closing-excess.test.ts'],
  },
  {
    name: 'a stop stays at the broker over its reset, where no list shows it afterwards',
    file: 'src/trader/execution/cancel-orders.ts',
    from: 'isResetNear: terms.isResetNear,',
    to: 'isResetNear: false,',
    suites: ['tests/trading/stops-and-orders.test.ts'],
  },
];
