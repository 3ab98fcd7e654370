// Alpaca's stand-in as a server of its own: simulated prices in real time, one paper account. It lets the live market of the
// product run without an account at Alpaca: see the developers' page. Read from the environment: SANDBOX_PORT (0 takes any)
// and SANDBOX_SEED.
import Fastify from 'fastify';
import { parseOption } from '#engine/market/option-contract.ts';
import { instant } from '#units/instant.ts';
import { seedFromText } from '../market/price-models/random.ts';
import { withOptionMarket } from '../market/option-market.ts';
import { withShareActions } from '../market/share-actions.ts';
import { DEFAULT_SEED, simulatedMarket } from '../market/simulated-market.ts';
import { REQUESTS_PER_MINUTE } from './faults/request-limit.ts';
import { mountAlpacaMarketData } from './market-data/market-data.ts';
import { mountAlpaca } from './stand-in.ts';

const { SANDBOX_PORT, SANDBOX_SEED } = process.env;
const seed = SANDBOX_SEED === undefined || SANDBOX_SEED === '' ? DEFAULT_SEED : seedFromText(SANDBOX_SEED);
const prices = withOptionMarket(withShareActions(simulatedMarket(seed)));
const now = () => instant(Date.now());

const app = Fastify({ logger: false, bodyLimit: 262_144 });
const client = { id: 'client', secret: 'secret' };
const standIn = mountAlpaca(app, { prices, now, client, requestsPerMinute: REQUESTS_PER_MINUTE });
const { keyId, secretKey } = standIn.signIn.openWithKey();
const { terms, faults } = standIn;
mountAlpacaMarketData(app, { prices, now, keys: { id: keyId, secret: secretKey }, terms, faults });

process.once('SIGTERM', () => void app.close());
process.once('SIGINT', () => void app.close());
const address = await app.listen({ host: '127.0.0.1', port: Number(SANDBOX_PORT || 3_200) });
const shares = prices.instruments.filter(({ kind }) => kind === 'equity').map(({ symbol }) => symbol);
const optioned = new Set(
  (prices.listedAt?.(now()) ?? []).map(({ symbol }) => parseOption(symbol)?.underlying),
);
process.stdout.write(
  [
    `APCA_API_KEY_ID=${keyId}`,
    `APCA_API_SECRET_KEY=${secretKey}`,
    `ALPACA_TRADING_URL=${address}`,
    `ALPACA_DATA_URL=${address}`,
    `MARKET_SYMBOLS=${[...shares.slice(0, 10), 'BTC/USD', 'ETH/USD'].join(',')}`,
    `MARKET_OPTIONS=${shares
      .slice(0, 10)
      .filter((symbol) => optioned.has(symbol))
      .join(',')}`,
    '',
  ].join('\n'),
);
