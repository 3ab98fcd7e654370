// Slips about time: stale clocks, stale prices, and looks at the broker that come too often or too late.
import type { PlantedBug } from './planted-bug.ts';

const CLOCKS = 'tests/trading/clock-readings.test.ts';
const STREAM = 'tests/trading/stream-executions.test.ts';
const ASKING = 'src/engine/execution/connection/what-to-ask.test.ts';

export const TIME_BUGS: readonly PlantedBug[] = [
  {
    name: 'a deployment is decided on before it exists',
    file: 'src/engine/execution/deployment/is-ahead-of.ts',
    from: 'return at.some((written) => written !== null && written > now);',
    to: 'return at.every((written) => written !== null && written > now);',
    suites: ['src/engine/execution/deployment/is-ahead-of.test.ts', CLOCKS],
  },
  {
    name: 'a transaction decides at the present, on the prices of its tick',
    file: 'src/trader/tick.ts',
    from: 'const atPresent = async () => withAdjustedMarks(await readAgain(), memory, readAgain);',
    to: 'const atPresent = async () => ({ ...(await withAdjustedMarks(await readAgain(), memory, readAgain)), ...prices });',
    suites: [CLOCKS],
  },
  {
    name: 'a transaction decides at the clock of its tick',
    file: 'src/trader/market-data/market-view.ts',
    from: 'steadyMs() - last.at < PRESENT_MS',
    to: 'last.at < PRESENT_MS + steadyMs()',
    suites: [CLOCKS],
  },
  {
    name: 'an order leaves at a price that is too old',
    file: 'src/engine/execution/orders/price-check.ts',
    from: 'if (!isPriceTooOld({ instrument, pricedAt, now, speed, ...maxAge }))',
    to: 'if (isPriceTooOld({ instrument, pricedAt, now, speed, ...maxAge }))',
    suites: ['src/engine/execution/orders/price-check.test.ts', CLOCKS],
  },
  {
    name: 'an exit that waited too long is not decided again before its price moves',
    file: 'src/trader/execution/begin-sending.ts',
    from: "if (purpose !== 'stop_loss' && purpose !== 'margin_call') return;",
    to: "if (purpose !== 'rebalance') return;",
    suites: [CLOCKS],
  },
  {
    name: 'the age of a price begins again at midnight where a market never closes',
    file: 'src/engine/market/kinds/price-age.ts',
    from: 'if (before.closesAt < openSince) break;',
    to: 'if (before.closesAt <= openSince) break;',
    suites: ['src/engine/market/kinds/price-age.test.ts'],
  },
  {
    name: 'an order leaves although an execution of its instrument was not read',
    file: 'src/engine/execution/connection/what-to-ask.ts',
    from: 'return isReconciled && !filled.has(symbol) && !filled.has(null);',
    to: 'return isReconciled && !filled.has(null);',
    suites: [ASKING],
  },
  {
    name: 'news of the stream makes a look come sooner than the broker allows',
    file: 'src/engine/execution/connection/what-to-ask.ts',
    from: 'return since >= Math.max(everyMs, lookInterval(look, everyMs));',
    to: 'return look.news.isChanged || since >= Math.max(everyMs, lookInterval(look, everyMs));',
    suites: [ASKING],
  },
  {
    name: 'a stream that broke since the last look counts as heard',
    file: 'src/trader/connections/connection-worker.ts',
    from: 'lookedIn !== null && session?.streamStretch?.() === lookedIn',
    to: 'lookedIn !== null && session !== null',
    suites: ['tests/trading/streamed-looks.test.ts'],
  },
  {
    name: 'a working order of a deployment that is asked to pause is not visited',
    file: 'src/records/brokerage/trading-connections.ts',
    from: "or d.status <> 'active' or d.requested_status is not null or",
    to: "or d.status <> 'active' or",
    suites: ['tests/trading/orders-to-check.test.ts'],
  },
  {
    name: 'executions are booked from the stream in a gap, and a later one hides an earlier one from the lists',
    file: 'src/engine/execution/connection/what-to-ask.ts',
    from: 'return everyMs > 0 && isReconciled && unread.size > 0;',
    to: 'return everyMs > 0 && unread.size > 0;',
    suites: [ASKING, STREAM],
  },
  {
    name: 'an execution of the stream fills an order that the broker knows by another id',
    file: 'src/engine/execution/reconciliation/attribute-fills.ts',
    from: 'if (order.brokerOrderId !== null && order.brokerOrderId !== brokerOrderId) return false;',
    to: '',
    suites: ['src/engine/execution/reconciliation/attribute-fills.test.ts'],
  },
  {
    name: 'positions that lag behind fills of the stream become a difference for staff',
    file: 'src/trader/reconciliation/book-news.ts',
    from: 'await readHeld(context, active);',
    to: "await (await import('./reconcile-positions.ts')).readPositions(context, active);",
    suites: [STREAM],
  },
  {
    name: 'a fill that was booked before a crash is held as more than was ordered',
    file: 'src/trader/reconciliation/decide-fills.ts',
    from: "if (isKnown) return 'repeated';",
    to: '',
    suites: [STREAM],
  },
  {
    name: 'a spoilt time in the future hides all later executions',
    file: 'src/engine/execution/reconciliation/reconcile-orders.ts',
    from: 'Math.min(known.lastExecutionAt, now)',
    to: 'known.lastExecutionAt',
    suites: ['src/engine/execution/reconciliation/reconcile-orders.test.ts'],
  },
  {
    name: 'an execution of another account counts as news of our order',
    file: 'src/trader/connections/connection-worker.ts',
    from: "news.kind === 'execution' && news.accountId === accountId ? news.execution : undefined",
    to: "news.kind === 'execution' ? news.execution : undefined",
    suites: [STREAM],
  },
  {
    name: 'prices of a silent feed are decided on as if they were new',
    file: 'src/engine/market-data/accept-quotes.ts',
    from: 'validateQuote(quote) ?? findDelay(quote, shares)',
    to: 'validateQuote(quote)',
    suites: ['src/engine/market-data/accept-quotes.test.ts'],
  },
];
