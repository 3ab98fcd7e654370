import type { PlantedBug } from './planted-bug.ts';

const FAULTS = 'tests/trading/faults.test.ts';
const LIFE = 'tests/trading/order-life.test.ts';
const ACCOUNTS = 'src/trader/reconciliation/attribute-fills.test.ts';
const DAYS = 'src/trader/end-of-day/end-of-day.test.ts';
const BOOK = 'src/trader/reconciliation/book-execution.ts';
const FACTS = 'src/trader/reconciliation/reconcile-orders.ts';

/** Booking of events at the broker. */
export const BOOKING_BUGS: readonly PlantedBug[] = [
  {
    name: 'executions are identified by when they were reported, not by the broker’s id',
    file: FACTS,
    from: 'const fresh = executions.filter(({ executionId }) => !known.has(executionId));',
    to: 'const fresh = executions.filter(({ executionId }) => !known.has(executionId)).map((one, i) => ({ ...one, executionId: `${one.executionId}.${i}` as typeof one.executionId }));',
    suites: [LIFE, FAULTS],
  },
  {
    name: 'a fill of the next day is written into the row of the day before',
    file: 'src/engine/execution/deployment/apply-event.ts',
    from: 'return fill === undefined ? at : ',
    to: 'return fill !== null ? at : ',
    suites: [DAYS],
  },
  {
    name: 'the mark of a past day is overwritten with later holdings',
    file: 'src/records/portfolio/equity-marks.ts',
    from: 'later.date > mark.date)',
    to: 'later.date < later.date)',
    suites: [DAYS],
  },
  {
    name: 'an execution is identified by its id alone, without its account',
    file: 'src/records/execution/fills.ts',
    from: 'select execution_id from fills where account_id = ${accountId} and execution_id = any(${ids}::text[])',
    to: "select execution_id from fills where ${accountId} <> '' and execution_id = any(${ids}::text[])",
    suites: [ACCOUNTS],
  },
  {
    name: 'an order is found by the broker’s id alone, without its connection',
    file: 'src/records/execution/orders.ts',
    from: "    .where('broker_connection_id', '=', key.connection)\n    .where(({ or, eb }) =>",
    to: '    .where(({ or, eb }) =>',
    suites: [ACCOUNTS],
  },
  {
    name: 'an execution that the broker corrects is booked once more',
    file: BOOK,
    from: "if (revision.type !== 'book') return revision.type === 'drop' ? 'superseded' : revision;",
    to: '',
    suites: [ACCOUNTS],
  },
  {
    name: 'a trade by hand is booked to a deployment that traded the same instrument',
    file: FACTS,
    from: 'const order = await findOrder(database, { connection: id, clientOrderId, brokerOrderId });',
    to: "const order = (await findOrder(database, { connection: id, clientOrderId, brokerOrderId })) ?? (await listOrders(database, { connection: id, statuses: ['working', 'filled'] })).find(({ decided }) => decided.symbol === execution.symbol);",
    suites: [ACCOUNTS, FAULTS],
  },
  {
    name: 'an order ends before the executions that ended it are booked',
    file: 'src/engine/execution/reconciliation/reconcile-orders.ts',
    from: "return report.filled > filled || report.status === 'filled';",
    to: "return report.status === 'filled';",
    suites: ['src/engine/execution/reconciliation/reconcile-orders.test.ts', LIFE],
  },
  {
    name: 'a list of orders that failed is read as empty',
    file: FACTS,
    from: "const orders = answered('orders', await session.orders(connection.accountId));",
    to: "const listed = await session.orders(connection.accountId);\n  const orders = listed.outcome === 'failed' ? { value: [], unread: [] } : listed;",
    suites: ['tests/trading/broker-reports.test.ts'],
  },
  {
    name: 'a list of executions that failed is read as empty',
    file: FACTS,
    from: "const executions = answered('executions', await session.executions(connection.accountId, since));",
    to: "const told = await session.executions(connection.accountId, since);\n  const executions = told.outcome === 'failed' ? { value: [], unread: [] } : told;",
    suites: ['tests/trading/broker-reports.test.ts'],
  },
  {
    name: 'a list of positions that failed is read as flat',
    file: 'src/trader/reconciliation/reconcile-positions.ts',
    from: "const positions = answered('positions', await session.positions(accountId));",
    to: "const listed = await session.positions(accountId);\n  const positions = listed.outcome === 'failed' ? { value: [], unread: [] } : listed;",
    suites: ['tests/trading/broker-reports.test.ts'],
  },
  {
    name: 'cash and position are written after the transaction of their fill',
    file: BOOK,
    from: 'await saveTransitions(trx, context, [transition]);',
    to: 'setImmediate(() => void context.database.transaction().execute((own) => saveTransitions(own, context, [transition])));',
    suites: [FAULTS],
  },
  {
    name: 'a fill may exceed what was ordered',
    file: 'src/engine/execution/reconciliation/attribute-fills.ts',
    from: "return filled + quantity > decided.quantity ? { code: 'overfill' } : null;",
    to: 'return null;',
    suites: ['src/engine/execution/reconciliation/attribute-fills.test.ts', ACCOUNTS],
  },
  {
    name: 'the ledger forgets the commission',
    file: 'src/engine/execution/deployment/ledger-posting.ts',
    from: "    { account: 'commission', amount: commission },\n",
    to: '',
    suites: ['src/engine/execution/reconciliation/book-fill.test.ts', LIFE],
  },
  {
    name: 'an entry that does not sum to zero is written',
    file: 'src/records/schema/ledger.sql',
    from: 'group by currency having sum(amount_micro) <> 0',
    to: 'group by currency having sum(amount_micro) is null',
    suites: ['src/records/schema/guards.test.ts'],
  },
  {
    name: 'a fill notifies no one',
    file: 'src/engine/execution/reconciliation/book-fill.ts',
    from: 'notices: [...next.notices, noticeOf(snapshot.record, facts, applied, cause)],',
    to: 'notices: next.notices,',
    suites: ['src/engine/execution/reconciliation/book-fill.test.ts', FAULTS],
  },
  {
    name: 'an event notifies each time it is seen',
    file: 'src/records/notifications/notifications-outbox.ts',
    from: '${column((n) => n.cause)}::text[],',
    to: '${column((n) => `${n.cause} ${n.id}`)}::text[],',
    suites: ['src/server/notifications/notifications.test.ts'],
  },
  {
    name: 'a change of an order’s status leaves no row in the audit log',
    file: 'src/records/schema/audit.sql',
    from: 'create trigger audited_update after update on orders referencing old table as was new table as written\n  for each statement execute function audit_orders_moved();\n',
    to: '',
    suites: ['src/records/schema/guards.test.ts'],
  },
  {
    name: 'a position of two fills is valued at the cost of the last',
    file: 'src/engine/portfolio/apply-fill.ts',
    from: 'return { quantity: after, cost: add(held.cost, paid), profit: ZERO_MICRO };',
    to: 'return { quantity: after, cost: paid, profit: ZERO_MICRO };',
    suites: ['src/engine/portfolio/apply-fill.test.ts'],
  },
  {
    name: 'an execution from before a split is booked in the old shares',
    file: BOOK,
    from: 'const splitRatio = await splitRatioSince(trx, when, context);',
    to: 'const splitRatio = (await splitRatioSince(trx, when, context)) && 1;',
    suites: ['src/trader/reconciliation/attribute-fills.test.ts'],
  },
  {
    name: 'a trade before an ex-date that is reported after it gets no dividend',
    file: BOOK,
    from: 'of await listMissedDividends(trx, when, fill, context)',
    to: 'of (await listMissedDividends(trx, when, fill, context)).slice(9)',
    suites: ['tests/trading/dividends-and-expiries.test.ts'],
  },
  {
    name: 'a session counts as processed despite what was booked meanwhile',
    file: 'src/engine/end-of-day/session-holders.ts',
    from: 'return holders.filter((holder) => counted.get(holdingKey(holder)) !== holder.entitled);',
    to: 'return holders.filter((holder) => counted.size < 0 && holder.entitled === 0);',
    suites: ['src/engine/end-of-day/session-holders.test.ts', 'tests/trading/dividends-and-expiries.test.ts'],
  },
  {
    name: 'end-of-day processing waits for a deployment in quarantine',
    file: 'src/trader/end-of-day/apply-session.ts',
    from: "if (record?.status === 'failed') return [];",
    to: '',
    suites: ['src/trader/end-of-day/end-of-day.test.ts'],
  },
  {
    name: 'a session counts as processed without a deployment that can still take it',
    file: 'src/trader/end-of-day/apply-session.ts',
    from: "if (events === 'awaited') awaited.add(holder.deploymentId);",
    to: '',
    suites: ['src/trader/end-of-day/end-of-day.test.ts'],
  },
  {
    name: 'the owner’s other shares are not split when the account is compared',
    file: 'src/engine/execution/reconciliation/external-position.ts',
    from: 'const units = roundHalfEven(traded * ratio);',
    to: 'const units = roundHalfEven(traded / ratio);',
    suites: ['src/trader/reconciliation/attribute-fills.test.ts'],
  },
  {
    name: 'of two people who trade one account the first to get the report takes the other’s fill',
    file: FACTS,
    from: 'await receiveExecutions(database, inbox, await attributeFills(context, active, fresh, nameOf));',
    to: 'await receiveExecutions(database, inbox, fresh);',
    suites: [ACCOUNTS],
  },
];
