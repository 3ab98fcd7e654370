import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../environment/environment.ts';

/** The variables by which the other roles reach the sandbox on `port`, unless the environment names a broker itself. */
export function sandboxVariables(environment: Environment, port: number): Record<string, string> {
  const feed = { MARKET_FEED_URL: environment.marketFeedUrl ?? `http://127.0.0.1:${port}` };
  const ours = environment.brokers.find(({ choice }) => choice === 'sandbox');
  if (ours === undefined || ours.baseUrl !== null) return feed;
  const folder = path.join(environment.dataDir, 'sandbox', 'consumer');
  const consumer = JSON.parse(readFileSync(path.join(folder, 'consumer.json'), 'utf8')) as Record<
    string,
    string
  >;
  const outside = new URL(environment.publicUrl);
  return {
    ...feed,
    IBKR_BASE_URL: `http://127.0.0.1:${port}/v1/api`,
    IBKR_AUTHORIZE_URL: `${outside.protocol}//${outside.hostname}:${port}/authorize`,
    IBKR_CONSUMER_KEY: consumer.consumer_key ?? '',
    IBKR_REALM: consumer.realm ?? '',
    IBKR_DH_PRIME_HEX: consumer.dh_prime_hex ?? '',
    IBKR_SIGNATURE_KEY_FILE: path.join(folder, 'signature-private.pem'),
    IBKR_ENCRYPTION_KEY_FILE: path.join(folder, 'encryption-private.pem'),
    ...(ours.tenancy === 'adviser' && sandboxAdviserVariables(folder, port)),
  };
}

function sandboxAdviserVariables(folder: string, port: number): Record<string, string> {
  const adviser = JSON.parse(readFileSync(path.join(folder, 'adviser.json'), 'utf8')) as Record<
    string,
    string
  >;
  return {
    IBKR_TOKEN_URL: `http://127.0.0.1:${port}/oauth2/api/v1/token`,
    IBKR_SESSION_URL: `http://127.0.0.1:${port}/gw/api/v1/sso-sessions`,
    IBKR_CLIENT_ID: adviser.client_id ?? '',
    IBKR_KEY_ID: adviser.key_id ?? '',
    IBKR_PRIVATE_KEY_FILE: path.join(folder, 'adviser-private.pem'),
    IBKR_CREDENTIAL: adviser.credential ?? '',
    IBKR_IP: '127.0.0.1',
  };
}
