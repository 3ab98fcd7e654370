// Massive's stand-in as a server of its own: the simulated prices of a seed, in real time. Beside a stand-in of the first feed
// with the same seed it checks that one. Read from the environment: SANDBOX_PORT (0 takes any) and SANDBOX_SEED.
import Fastify from 'fastify';
import { instant } from '#units/instant.ts';
import { seedFromText } from '../market/price-models/random.ts';
import { withShareActions } from '../market/share-actions.ts';
import { DEFAULT_SEED, simulatedMarket } from '../market/simulated-market.ts';
import { mountFlatFiles } from './flat-files.ts';
import { mountMassive } from './market-data.ts';

const { SANDBOX_PORT, SANDBOX_SEED } = process.env;
const seed = SANDBOX_SEED === undefined || SANDBOX_SEED === '' ? DEFAULT_SEED : seedFromText(SANDBOX_SEED);
const prices = withShareActions(simulatedMarket(seed));
const apiKey = 'practice';
const FILE_KEYS = { id: 'practice', secret: 'practice' };

const app = Fastify({ logger: false });
const now = () => instant(Date.now());
mountMassive(app, { prices, now, apiKey });
mountFlatFiles(app, { prices, now, keys: FILE_KEYS });
process.once('SIGTERM', () => void app.close());
process.once('SIGINT', () => void app.close());
const address = await app.listen({ host: '127.0.0.1', port: Number(SANDBOX_PORT || 3_210) });
process.stdout.write(
  [
    'MARKET_FEEDS=equity=alpaca,massive',
    `MASSIVE_API_KEY=${apiKey}`,
    `MASSIVE_URL=${address}`,
    `MASSIVE_FILES_URL=${address}`,
    `MASSIVE_S3_KEY_ID=${FILE_KEYS.id}`,
    `MASSIVE_S3_SECRET_KEY=${FILE_KEYS.secret}`,
    '',
  ].join('\n'),
);
