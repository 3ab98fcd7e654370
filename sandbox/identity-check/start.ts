// The stand-in of a service that checks identities as a server of its own; prints the settings with which the product uses it. Read from
// the environment: SANDBOX_PORT (0 takes any).
import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { mountIdentityStandIn } from './stand-in.ts';

const { SANDBOX_PORT } = process.env;
const key = randomBytes(16).toString('base64url');
const app = Fastify({ logger: false });
mountIdentityStandIn(app, { key });
process.once('SIGTERM', () => void app.close());
process.once('SIGINT', () => void app.close());
const address = await app.listen({ host: '127.0.0.1', port: Number(SANDBOX_PORT || 3_230) });
process.stdout.write([`IDENTITY_CHECK_URL=${address}`, `IDENTITY_CHECK_KEY=${key}`, ''].join('\n'));
