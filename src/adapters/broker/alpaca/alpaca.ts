// Alpaca behind the broker port, through its trading API: shares, coins and options, with users' permission or the keys of one account.
import { randomBytes } from 'node:crypto';
import type { AccountTerms } from '#engine/execution/connection/account-terms.ts';
import type { Broker, BrokerAccount, BrokerAnswer, BrokerCredentials, BrokerSession } from '#ports/broker.ts';
import type { SizingLimits } from '#engine/risk/sizing-limits.ts';
import { toQuantity } from '#units/quantity.ts';
import { asText, reading } from '../answer-fields.ts';
import { bodyOf, exchange, failed } from '../exchange.ts';
import { parseAccountTerms } from './account-terms.ts';
import { type AlpacaClient, type AlpacaConfig, listsEveryMs, PUBLISHED_RATE_LIMITS } from './config.ts';
import { type Connection, failureOf, openConnection } from './connection.ts';
import { parseAccount } from './parse-answers.ts';
import { createSession } from './session.ts';

export function alpaca(config: AlpacaConfig): Broker<'alpaca'> {
  const { access } = config;
  return {
    vendor: 'alpaca',
    limits: {
      executionHistoryDays: HISTORY_DAYS,
      listLagMs: LIST_LAG_MS,
      listsEveryMs: listsEveryMs(config.rateLimits ?? PUBLISHED_RATE_LIMITS),
      stopKinds: ['equity'],
      keepsStopsApart: true,
      keepsCover: true,
      keepsOrders: ['crypto'],
      sizing: SIZING,
    },
    resetAt: () => null,
    ...(access.kind === 'keys' ? byKeys(config, access) : byPermission(config, access)),
  };
}

type Access = Pick<
  Broker<'alpaca'>,
  'beginAuthorization' | 'completeAuthorization' | 'openSession' | 'linksAccounts'
>;

/** The keys open the one session, and no client signs in. */
function byKeys(
  config: AlpacaConfig,
  { keyId, secretKey }: { readonly keyId: string; readonly secretKey: string },
): Access {
  const refusal = failed('refused', 'this installation trades the account of its keys alone');
  return {
    linksAccounts: 'operator',
    beginAuthorization: () => Promise.resolve(refusal),
    completeAuthorization: () => Promise.resolve(refusal),
    openSession: () => openSession(config, { keyId, secretKey }),
  };
}

function byPermission(config: AlpacaConfig, client: AlpacaClient): Access {
  return {
    beginAuthorization({ callbackUrl }) {
      const requestToken = requestTokenOf(callbackUrl);
      const page = new URL(client.authorizeUrl);
      page.searchParams.set('response_type', 'code');
      page.searchParams.set('client_id', client.clientId);
      page.searchParams.set('redirect_uri', callbackUrl);
      page.searchParams.set('scope', 'account:write trading');
      const state = new URL(callbackUrl).searchParams.get('state');
      page.searchParams.set('state', state ?? requestToken);
      return Promise.resolve({ outcome: 'ok', value: { requestToken, authorizeUrl: page.href } });
    },

    async completeAuthorization({ requestToken, verifier }) {
      const callbackUrl = callbackOf(requestToken);
      if (callbackUrl === null) return failed('unauthorized', 'this sign-in was never begun here');
      const token = await exchangeCode(config, client, { code: verifier, callbackUrl });
      if (token.outcome === 'failed') return token;
      const credentials: BrokerCredentials<'alpaca'> = { accessToken: token.value };
      const account = await askAccount(openConnection(config, credentials));
      if (account.outcome === 'failed') return account;
      return { outcome: 'ok', value: { credentials, isPaper: account.value.isPaper } };
    },

    openSession: (credentials) => openSession(config, credentials),
  };
}

async function openSession(
  config: AlpacaConfig,
  credentials: BrokerCredentials,
): Promise<BrokerAnswer<BrokerSession>> {
  const connection = openConnection(config, credentials);
  const account = await askAccount(connection);
  if (account.outcome === 'failed') return account;
  return {
    outcome: 'ok',
    value: createSession(connection, { ...config, credentials }, account.value),
  };
}

async function askAccount(
  connection: Connection,
): Promise<BrokerAnswer<Required<BrokerAccount> & { readonly terms: AccountTerms }>> {
  const answer = await connection.query({ path: '/v2/account', priority: 'reconcile' });
  return answer.outcome === 'failed'
    ? answer
    : reading(() => ({
        ...parseAccount(answer.value),
        terms: parseAccountTerms(answer.value),
      }));
}

/** Exchanges the code from the user's permission for an access token. */
async function exchangeCode(
  { timeoutMs, fetch }: AlpacaConfig,
  client: AlpacaClient,
  { code, callbackUrl }: { readonly code: string; readonly callbackUrl: string },
): Promise<BrokerAnswer<string>> {
  const result = await exchange({
    method: 'POST',
    url: client.tokenUrl,
    raw: {
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uri: callbackUrl,
      }).toString(),
    },
    timeoutMs,
    fetch,
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

/** Its guide on fractions: none is sold short. More than is held is not sold in one order either. */
const SIZING: SizingLimits = { steps: { equity: { short: toQuantity(1) } }, closesBeforeTurning: true };
/** The vendor publishes no retention limit for fills; we never request older ones. */
const HISTORY_DAYS = 90;
const LIST_LAG_MS = 60_000;
