// The stand-in of the payment service as a server of its own. It makes its keys anew at each start and prints the settings
// with which the product uses it. Read from the environment: SANDBOX_PORT (0 takes any), NOTICES_TO (where its webhooks go).
import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { mountPaymentStandIn } from './stand-in.ts';

const DELIVER_EVERY_MS = 1_000;
const { SANDBOX_PORT, NOTICES_TO } = process.env;
const settings = {
  nowMs: Date.now,
  secretKey: `sk_test_${randomBytes(16).toString('hex')}`,
  webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
};
const app = Fastify({ logger: false });
const { notices } = mountPaymentStandIn(app, settings);
notices.sendTo(NOTICES_TO || 'http://127.0.0.1:3000/api/payment-notices');
const delivering = setInterval(() => void notices.deliver(), DELIVER_EVERY_MS);
app.addHook('onClose', async () => clearInterval(delivering));
process.once('SIGTERM', () => void app.close());
process.once('SIGINT', () => void app.close());
const address = await app.listen({ host: '127.0.0.1', port: Number(SANDBOX_PORT || 3_230) });
process.stdout.write(
  [
    'PAYMENTS=stripe',
    `STRIPE_STAND_IN_URL=${address}`,
    `STRIPE_SECRET_KEY=${settings.secretKey}`,
    `STRIPE_WEBHOOK_SECRETS=${settings.webhookSecret}`,
    '',
  ].join('\n'),
);
