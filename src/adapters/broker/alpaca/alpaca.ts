// Alpaca behind the broker port, through its trading API: shares, with a user's permission or an API key.
import { randomBytes } from 'node:crypto';
import type { Broker, BrokerAnswer, BrokerCredentials } from '#ports/broker.ts';
import { asText, reading } from '../answer-fields.ts';
import { bodyOf, exchange, failed } from '../exchange.ts';
import type { AlpacaConfig } from './config.ts';
import { failureOf, openConnection } from './connection.ts';
import { isPaper, parseAccount } from './parse-answers.ts';
import { createSession } from './session.ts';

export function alpaca(config: AlpacaConfig): Broker {
  return {
    vendor: 'alpaca',
    limits: { executionHistoryDays: HISTORY_DAYS, listLagMs: LIST_LAG_MS, stopKinds: ['equity'] },
    resetAt: () => null,

    beginAuthorization({ callbackUrl }) {
      const requestToken = requestTokenOf(callbackUrl);
      const page = new URL(config.authorizeUrl);
      page.searchParams.set('response_type', 'code');
      page.searchParams.set('client_id', config.clientId);
      page.searchParams.set('redirect_uri', callbackUrl);
      page.searchParams.set('scope', 'account:write trading');
      const state = new URL(callbackUrl).searchParams.get('state');
      page.searchParams.set('state', state ?? requestToken);
      return Promise.resolve({ outcome: 'ok', value: { requestToken, authorizeUrl: page.href } });
    },

    async completeAuthorization({ requestToken, verifier }) {
      const callbackUrl = callbackOf(requestToken);
      if (callbackUrl === null) return failed('unauthorized', 'this sign-in was never begun here');
      const token = await exchangeCode(config, { code: verifier, callbackUrl });
      if (token.outcome === 'failed') return token;
      const credentials: BrokerCredentials = { accessToken: token.value };
      const connection = openConnection(config, credentials);
      const answer = await connection.query({ path: '/v2/account', priority: 'reconcile' });
      if (answer.outcome === 'failed') return answer;
      const account = reading(() => parseAccount(answer.value));
      if (account.outcome === 'failed') return account;
      return { outcome: 'ok', value: { credentials, isPaper: isPaper(account.value) } };
    },

    async openSession(credentials) {
      const connection = openConnection(config, credentials);
      const answer = await connection.query({ path: '/v2/account', priority: 'reconcile' });
      return answer.outcome === 'failed'
        ? answer
        : { outcome: 'ok', value: createSession(connection, config) };
    },
  };
}

/** Exchanges the code from the user's permission for an access token. */
async function exchangeCode(
  config: AlpacaConfig,
  { code, callbackUrl }: { readonly code: string; readonly callbackUrl: string },
): Promise<BrokerAnswer<string>> {
  const result = await exchange({
    method: 'POST',
    url: config.tokenUrl,
    raw: {
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: config.clientId,
        client_secret: config.clientSecret,
        redirect_uri: callbackUrl,
      }).toString(),
    },
    timeoutMs: config.timeoutMs,
    fetch: config.fetch,
  });
  const failure = failureOf(result);
  // The vendor answers a used, unknown or expired code with 400 or 422.
  if (failure?.code === 'refused') return failed('unauthorized', failure.reason);
  if (failure) return failure;
  const body = bodyOf(result);
  const token =
    typeof body === 'object' && body !== null && 'access_token' in body ? asText(body.access_token) : null;
  return token === null
    ? failed('unreadable', 'the broker answered without a token')
    : { outcome: 'ok', value: token };
}

/** The redirect address must be repeated when the code is exchanged, in any process. */
function requestTokenOf(callbackUrl: string): string {
  return `${randomBytes(16).toString('hex')}.${Buffer.from(callbackUrl).toString('base64url')}`;
}

function callbackOf(requestToken: string): string | null {
  const url = Buffer.from(requestToken.split('.')[1] ?? '', 'base64url').toString();
  return URL.canParse(url) ? url : null;
}

/** The vendor publishes no retention limit for fills; we never request older ones. */
const HISTORY_DAYS = 90;
const LIST_LAG_MS = 60_000;
