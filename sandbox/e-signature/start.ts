// The stand-in of the signing service as a server of its own. It makes its keys anew at each start and prints the settings
// with which the product uses it. Read from the environment: SANDBOX_PORT (0 takes any).
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { mountSignatureStandIn } from './stand-in.ts';

const DELIVER_EVERY_MS = 1_000;
const { SANDBOX_PORT } = process.env;
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const keyFile = path.join(mkdtempSync(path.join(tmpdir(), 'signing-stand-in-')), 'app-key.pem');
writeFileSync(keyFile, keys.privateKey, { mode: 0o600 });
const settings = {
  nowMs: Date.now,
  integrationKey: randomUUID(),
  userId: randomUUID(),
  publicKeyPem: keys.publicKey,
  connectKeys: [randomBytes(32).toString('base64url')],
};
const app = Fastify({ logger: false });
const { notices } = mountSignatureStandIn(app, settings);
const delivering = setInterval(() => void notices.deliver(), DELIVER_EVERY_MS);
app.addHook('onClose', async () => clearInterval(delivering));
process.once('SIGTERM', () => void app.close());
process.once('SIGINT', () => void app.close());
const address = await app.listen({ host: '127.0.0.1', port: Number(SANDBOX_PORT || 3_220) });
process.stdout.write(
  [
    'ESIGN=docusign',
    `DOCUSIGN_STAND_IN_URL=${address}`,
    `DOCUSIGN_INTEGRATION_KEY=${settings.integrationKey}`,
    `DOCUSIGN_USER_ID=${settings.userId}`,
    `DOCUSIGN_PRIVATE_KEY_FILE=${keyFile}`,
    `DOCUSIGN_CONNECT_KEYS=${settings.connectKeys.join(',')}`,
    '',
  ].join('\n'),
);
