// The outside world on this machine, in one process: the market's feed under /market, the brokerage's Web API under
// /v1/api and its sign-in pages under /authorize, unless BROKER names another broker, and a stand-in of a language model under /v1. Read from the environment: SANDBOX_PORT
// (0 takes any), SANDBOX_HOST, SANDBOX_HABITS (a seed, or off), DATA_DIR, PUBLIC_URL, BROKER, the consumer's IBKR_* when it was registered elsewhere, and what
// market/open-market.ts names.
import path from 'node:path';
import Fastify from 'fastify';
import { isoText } from '#units/instant.ts';
import { prepareAdviser } from './interactive-brokers/sign-in/adviser.ts';
import { type Brokerage, mountBrokerage } from './interactive-brokers/brokerage.ts';
import { readHabits } from './interactive-brokers/faults/habits.ts';
import { prepareConsumer } from './interactive-brokers/sign-in/consumer.ts';
import { mountLanguageModelStandIn } from './language-model/stand-in.ts';
import { marketFeed } from './market/feed.ts';
import { openMarket } from './market/open-market.ts';

const { env } = process;
const folder = path.join(env.DATA_DIR ?? 'data', 'sandbox');
const host = env.SANDBOX_HOST || '127.0.0.1';
const port = Number(env.SANDBOX_PORT || 3_100);
const parent = process.ppid;

const market = openMarket(env);
const app = Fastify({ logger: false, bodyLimit: 262_144 });
const brokerage = (env.BROKER || 'sandbox') === 'sandbox' ? openBrokerage() : null;
// Only a caller on this machine may move time, whichever address serves the sign-in pages.
app.addHook('onRequest', (request, reply, done) => {
  const isForeign = !/^(::ffff:)?127\.|^::1$/.test(request.ip);
  if (isForeign && request.method === 'POST' && request.url.startsWith('/market/clock'))
    return reply.code(403).send({ code: 'refused', message: 'The clock is moved from this machine only.' });
  return done();
});
await app.register(marketFeed(market));
mountLanguageModelStandIn(app, { key: 'sandbox' });
app.get('/', () => ({ service: 'sandbox', market: market.mode, now: isoText(market.clock.now()) }));
if (brokerage !== null) market.clock.onAdvance(() => void brokerage.bringUpToDate());

let stopping = false;
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
// npm does not pass signals on: without this an orphan would keep the port.
const watch = setInterval(() => {
  if (process.ppid !== parent) void stop();
}, 500);
watch.unref();

try {
  const address = await app.listen({ host, port });
  process.stdout.write(`sandbox listening on ${address}, market clock at ${isoText(market.clock.now())}\n`);
} catch (error) {
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  process.stderr.write(
    isTaken
      ? `port ${port} is taken: stop what listens there, or set SANDBOX_PORT to a free one\n`
      : `the sandbox cannot listen on ${host}:${port}: ${String(error)}\n`,
  );
  process.exitCode = 1;
  await stop();
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  clearInterval(watch);
  await app.close();
  market.clock.close();
  brokerage?.close();
  process.exit();
}

function openBrokerage(): Brokerage {
  return mountBrokerage(app, {
    file: path.join(folder, booksName()),
    consumer: prepareConsumer(path.join(folder, 'consumer'), env),
    adviser: prepareAdviser(path.join(folder, 'consumer')),
    prices: market.prices,
    now: () => market.clock.now(),
    habits: readHabits(env.SANDBOX_HABITS),
    callbackHosts: env.PUBLIC_URL && URL.canParse(env.PUBLIC_URL) ? [new URL(env.PUBLIC_URL).hostname] : [],
  });
}

/** A replayed tape has its own time, and so its own books. */
function booksName(): string {
  return market.mode === 'sandbox' ? 'brokerage.sqlite' : `brokerage-replay-${env.REPLAY_FROM}.sqlite`;
}
