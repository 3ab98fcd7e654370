// A stand-in of Vault's transit engine: encrypt, decrypt and rotate of one named key, as its API documents them.
// https://developer.hashicorp.com/vault/api-docs/secret/transit
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';

export type VaultStandIn = {
  /** What callers present as X-Vault-Token; changing it revokes the former one. */
  token: string;
  isSealed: boolean;
  /** Versions below this one do not decrypt any more. */
  minDecryptionVersion: number;
  /** How often each call was answered. */
  readonly counts: { encrypt: number; decrypt: number; rotate: number };
};

type Body = { readonly plaintext?: string; readonly ciphertext?: string; readonly associated_data?: string };

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function mountVault(
  app: FastifyInstance,
  { mount, keyName }: { mount: string; keyName: string },
): VaultStandIn {
  const versions = [randomBytes(32)];
  const state: VaultStandIn = {
    token: `hvs.${randomBytes(12).toString('base64url')}`,
    isSealed: false,
    minDecryptionVersion: 1,
    counts: { encrypt: 0, decrypt: 0, rotate: 0 },
  };
  app.addHook('onRequest', async (request, reply) => {
    if (state.isSealed) return refuse(reply, 503, 'Vault is sealed');
    if (request.headers['x-vault-token'] !== state.token) return refuse(reply, 403, 'permission denied');
    return undefined;
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ errors: [] }));
  app.post<{ Params: { key: string }; Body: Body }>(
    `/v1/${mount}/encrypt/:key`,
    async ({ params, body }, reply) => {
      if (params.key !== keyName) return refuse(reply, 403, 'permission denied');
      if (body.plaintext === undefined) return refuse(reply, 400, 'missing "plaintext" for encryption');
      state.counts.encrypt += 1;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', versions.at(-1)!, nonce).setAAD(named(body));
      const sealed = Buffer.concat([cipher.update(Buffer.from(body.plaintext, 'base64')), cipher.final()]);
      const bytes = Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64');
      return { data: { ciphertext: `vault:v${versions.length}:${bytes}`, key_version: versions.length } };
    },
  );
  app.post<{ Params: { key: string }; Body: Body }>(
    `/v1/${mount}/decrypt/:key`,
    async ({ params, body }, reply) => {
      if (params.key !== keyName) return refuse(reply, 400, 'encryption key not found');
      const [, version, text] = /^vault:v(\d+):(.+)$/.exec(body.ciphertext ?? '') ?? [];
      const key = versions[Number(version) - 1];
      if (text === undefined || key === undefined) return refuse(reply, 400, 'invalid ciphertext: no prefix');
      if (Number(version) < state.minDecryptionVersion)
        return refuse(reply, 400, 'ciphertext or signature version is disallowed by policy (too old)');
      state.counts.decrypt += 1;
      const bytes = Buffer.from(text, 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
          .setAAD(named(body))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        const plain = Buffer.concat([
          decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
          decipher.final(),
        ]);
        return { data: { plaintext: plain.toString('base64') } };
      } catch {
        return refuse(reply, 400, 'cipher: message authentication failed');
      }
    },
  );
  app.post<{ Params: { key: string } }>(`/v1/${mount}/keys/:key/rotate`, async ({ params }, reply) => {
    if (params.key !== keyName) return refuse(reply, 404, 'no existing key');
    versions.push(randomBytes(32));
    state.counts.rotate += 1;
    return { data: { latest_version: versions.length } };
  });
  return state;
}

function named({ associated_data: name }: Body): Buffer {
  return Buffer.from(name ?? '', 'base64');
}

function refuse(reply: FastifyReply, status: number, error: string) {
  return reply.code(status).send({ errors: [error] });
}
