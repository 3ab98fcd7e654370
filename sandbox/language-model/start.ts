// The stand-in of a language model as a server of its own, for both protocols. It is no model. It prints the settings with which the
// product uses it. Read from the environment: SANDBOX_PORT (0 takes any), PROTOCOL (anthropic or openai-compatible).
import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { mountLanguageModelStandIn, STAND_IN_MODEL } from './stand-in.ts';

const { SANDBOX_PORT, PROTOCOL } = process.env;
const key = `stand-in-${randomBytes(16).toString('hex')}`;
const app = Fastify({ logger: false, bodyLimit: 4 * 1024 * 1024 });
mountLanguageModelStandIn(app, { key });
process.once('SIGTERM', () => void app.close());
process.once('SIGINT', () => void app.close());
const address = await app.listen({ host: '127.0.0.1', port: Number(SANDBOX_PORT || 3_240) });
process.stdout.write(
  [
    '# A stand-in, no language model: it gives the same rule to whatever is asked.',
    `LANGUAGE_MODEL=${PROTOCOL || 'anthropic'}`,
    `LANGUAGE_MODEL_ID=${STAND_IN_MODEL}`,
    `LANGUAGE_MODEL_URL=${address}/v1`,
    `LANGUAGE_MODEL_KEY=${key}`,
    'LANGUAGE_MODEL_PRICES=3/15',
    '',
  ].join('\n'),
);
