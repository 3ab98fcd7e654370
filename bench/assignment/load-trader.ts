// The product's trader as a process with a market of its own, for the measures under load: its parent closes its days, and lets it
// tick or rest. DATABASE_URL names its database, ASSIGNMENT the way, PORT where Restate reaches it.
import { randomUUID } from 'node:crypto';
import { openDatabase } from '#records/postgres/database.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { createTrader, PATIENCE_MS, TICK_MS } from '#trader/trader.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { NO_MODELS } from '../../tests/support/no-models.ts';
import { scriptedMarket } from '../../tests/support/scripted-market.ts';
import { scriptedVenue } from '../../tests/support/scripted-venue.ts';
import { insertDeployment, insertStrategy } from '../../tests/support/trading-rows.ts';
import { BOTH_ABOVE_30 } from '../../tests/support/trading-world.ts';
import { watchOrderCommits } from '../order-commits.ts';
import { serveConnections } from './connection-object.ts';
import { holdConnections } from './held-connections.ts';
import { oneLook } from './one-look.ts';

export type Asked = 'set the stage' | 'close a day' | 'tick' | 'rest';
export type Answer =
  | { readonly to: 'set the stage'; readonly deployment: string }
  | {
      readonly to: 'close a day';
      readonly orders: number;
      readonly tookMs: number;
      readonly problems: readonly string[];
    }
  | { readonly to: 'tick' | 'rest' };

const handle = openDatabase(process.env.DATABASE_URL!, { poolSize: 8, onIdleError: () => undefined });
const market = scriptedMarket();
const venue = scriptedVenue(market, { stopKinds: [], keepsStopsApart: false });
const quiet = () => undefined;
const realNow = () => wallInstant(Date.now());
const dependencies = {
  handle,
  brokers: [venue.broker],
  marketData: market.feed,
  models: NO_MODELS,
  openCredentials: ({ id }: { readonly id: string }) => ({ connection: id }) as never,
  logger: { info: quiet, warn: quiet, error: quiet },
  newId: randomUUID,
  realNow,
};
/** What ticks by itself does so only between `tick` and `rest`. */
let gate = Promise.withResolvers<void>();
let resting = new AbortController();
let running: Promise<void> = Promise.resolve();
const { trader, run } = process.env.ASSIGNMENT === 'restate' ? await heldByRestate() : heldByLeases();

process.on('message', (asked: Asked) => {
  void answer(asked).then((given) => process.send!(given));
});

async function answer(asked: Asked): Promise<Answer> {
  if (asked === 'set the stage') return { to: asked, deployment: await setStage() };
  if (asked === 'close a day') return { to: asked, ...(await closeDay()) };
  if (asked === 'tick') {
    resting = new AbortController();
    running = run(resting.signal);
  } else {
    resting.abort();
    await running;
  }
  return { to: asked };
}

async function setStage(): Promise<string> {
  await saveInstruments(handle.database, market.instruments, 'sandbox');
  const rows = { ...handle, newId: randomUUID, now: market.now };
  return insertDeployment(rows, await insertStrategy(rows, BOTH_ABOVE_30));
}

/** From the bar to the commit of the last order; the strategy sets a new target for every deployment. */
async function closeDay() {
  market.closeDay();
  const commits = watchOrderCommits(handle.pool);
  const start = performance.now();
  const { ordersWritten: orders, problems } = await trader.tick();
  const tookMs = commits.last() - start;
  commits.stop();
  return { orders, tookMs, problems: problems.map(({ reason }) => reason) };
}

async function heldByRestate() {
  let ticking: Promise<unknown> = Promise.resolve();
  const look = oneLook(async () => {
    await gate.promise;
    await (ticking = trader.tick({ patienceMs: PATIENCE_MS }));
  }, TICK_MS);
  const holding = holdConnections({ handle, realNow, look, termMs: Number.POSITIVE_INFINITY });
  const trader = createTrader(dependencies, holding.leases);
  await serveConnections(Number(process.env.PORT), holding.hold);
  return {
    trader,
    async run(signal: AbortSignal) {
      gate.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      gate = Promise.withResolvers();
      await ticking;
    },
  };
}

function heldByLeases() {
  const trader = createTrader(dependencies);
  return {
    trader,
    async run(signal: AbortSignal) {
      while (!signal.aborted) {
        await trader.tick({ patienceMs: PATIENCE_MS });
        await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      }
    },
  };
}
