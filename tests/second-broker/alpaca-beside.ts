// Alpaca's stand-in beside the second broker: over the tape that the product replays, in the time of its market, and with a
// note of everything that anyone sends it.
import path from 'node:path';
import Fastify from 'fastify';
import { openTape } from '#sandbox/market/replay.ts';
import { mountAlpaca, type StandIn } from '#sandbox/alpaca/stand-in.ts';
import { type Instant, parseInstant } from '#units/instant.ts';

const CLIENT = { id: 'our client at Alpaca', secret: 'a secret of ours at Alpaca' };

export type AlpacaBeside = {
  readonly standIn: StandIn;
  /** As an operator sets them beside those of another broker. */
  readonly settings: Readonly<Record<string, string>>;
  /** Each request with its address, headers and body. */
  readonly received: readonly string[];
  close(): Promise<void>;
};

type Market = { readonly feedUrl: string; readonly dataDir: string };

export async function openAlpacaBeside({ feedUrl, dataDir }: Market): Promise<AlpacaBeside> {
  const app = Fastify();
  const received: string[] = [];
  let at = 0 as Instant;
  let played: ReturnType<typeof openTape> | null = null;
  // The start exports the tape, and asks this broker for nothing but the time before.
  const tape = () => (played ??= openTape(path.join(dataDir, 'sandbox', 'tape')));
  app.get('/market/clock', async () => (await fetch(`${feedUrl}/market/clock`)).json());
  app.addHook('preHandler', async (request) => {
    if (request.url === '/market/clock') return;
    received.push(`${request.method} ${request.url} ${JSON.stringify([request.headers, request.body])}`);
    const clock = (await (await fetch(`${feedUrl}/market/clock`)).json()) as { now: string };
    at = parseInstant(clock.now);
  });
  const standIn = mountAlpaca(app, {
    prices: {
      get instruments() {
        return tape().instruments;
      },
      quote: (symbol, when) => tape().quote(symbol, when),
      dailyBars: (symbol, range) => tape().dailyBars(symbol, range),
    },
    now: () => at,
    client: CLIENT,
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    standIn,
    settings: {
      ALPACA_BASE_URL: address,
      ALPACA_AUTHORIZE_URL: `${address}/oauth/authorize`,
      ALPACA_TOKEN_URL: `${address}/oauth/token`,
      ALPACA_CLIENT_ID: CLIENT.id,
      ALPACA_CLIENT_SECRET: CLIENT.secret,
    },
    received,
    close: () => app.close(),
  };
}
