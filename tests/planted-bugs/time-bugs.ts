// Slips about time: stale clocks, stale prices, and looks at the broker that come too often or too late.
import type { PlantedBug } from './planted-bug.ts';

const CLOCKS = 'tests/trading/clock-readings.test.ts';
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
    file: 'src/trader/execution/send-orders.ts',
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
    name: 'prices of a silent feed are decided on as if they were new',
    file: 'src/engine/market-data/accept-quotes.ts',
    from: 'validateQuote(quote) ?? findDelay(quote, shares)',
    to: 'validateQuote(quote)',
    suites: ['src/engine/market-data/accept-quotes.test.ts'],
  },
];
