// Request tokens, which ask a person for permission, and the access tokens they become.
import { constants, publicEncrypt, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { atomically } from '../database.ts';
import type { Consumer } from './consumer.ts';

export type AccessToken = { readonly token: string; readonly userName: string; readonly secret: Buffer };

export type Permissions = {
  request(): string;
  /** Whether the person can still decide on it. */
  isOpen(requestToken: string): boolean;
  /** The verifier that proves it, or null when it is too late. */
  approve(requestToken: string, userName: string): string | null;
  deny(requestToken: string): void;
  /** Works once. The secret comes encrypted to the consumer. */
  exchange(requestToken: string, verifier: string): { token: string; secretBase64: string } | null;
  findAccess(token: string): AccessToken | null;
};

export function openPermissions(
  database: DatabaseSync,
  consumer: Consumer,
  realNow: () => number,
): Permissions {
  // Asked at every call.
  const byToken = database.prepare('SELECT * FROM access_tokens WHERE token = ?');
  const find = (token: string) =>
    database
      .prepare('SELECT * FROM request_tokens WHERE token = ? AND created_ms > ?')
      .get(token, realNow() - REQUEST_LIFE_MS);
  const become = (token: string, status: string) =>
    database.prepare('UPDATE request_tokens SET status = ? WHERE token = ?').run(status, token);

  return {
    request() {
      const token = randomBytes(10).toString('hex');
      database
        .prepare("INSERT INTO request_tokens (token, created_ms, status) VALUES (?, ?, 'open')")
        .run(token, realNow());
      return token;
    },
    isOpen: (requestToken) => find(requestToken)?.status === 'open',
    approve(requestToken, userName) {
      if (find(requestToken)?.status !== 'open') return null;
      const verifier = randomBytes(10).toString('hex');
      database
        .prepare(
          "UPDATE request_tokens SET status = 'approved', user_name = ?, verifier = ? WHERE token = ? AND status = 'open'",
        )
        .run(userName, verifier, requestToken);
      return verifier;
    },
    deny(requestToken) {
      if (find(requestToken)?.status === 'open') become(requestToken, 'denied');
    },
    exchange(requestToken, verifier) {
      return atomically(database, () => {
        const row = find(requestToken);
        if (row?.status !== 'approved' || row.verifier !== verifier) return null;
        become(requestToken, 'spent');
        const token = randomBytes(10).toString('hex');
        const secret = randomBytes(32);
        database
          .prepare('INSERT INTO access_tokens (token, secret_hex, user_name) VALUES (?, ?, ?)')
          .run(token, secret.toString('hex'), String(row.user_name));
        const sealed = publicEncrypt(
          { key: consumer.encryptionKey, padding: constants.RSA_PKCS1_PADDING },
          secret,
        );
        return { token, secretBase64: sealed.toString('base64') };
      });
    },
    findAccess(token) {
      const row = byToken.get(token);
      if (!row) return null;
      return { token, userName: String(row.user_name), secret: Buffer.from(String(row.secret_hex), 'hex') };
    },
  };
}

/** A request that the person abandons expires after ten minutes. */
const REQUEST_LIFE_MS = 600_000;
