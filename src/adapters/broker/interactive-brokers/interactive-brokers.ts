// Interactive Brokers behind the broker port, through its Web API: for users who each give permission (OAuth 1.0a), or
// for the clients of an adviser (OAuth 2.0).
import type {
  Authorization,
  Broker,
  BrokerAnswer,
  BrokerCredentials,
  BrokerSession,
  PendingAuthorization,
} from '#ports/broker.ts';
import { toQuantity } from '#units/quantity.ts';
import { asFlag, type Fields, fieldsOf, reading, textOf } from '../answer-fields.ts';
import { bodyOf, failed } from '../exchange.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import { createBrokerage } from './inner-session/brokerage.ts';
import { failureOf } from './failure-of.ts';
import { adviserAuthorizer } from './sign-in/adviser-authorizer.ts';
import { type Authorizer, SIGN_IN_PRIORITY } from './sign-in/authorizer.ts';
import { type AdviserConfig, type CommonConfig, type PersonConfig, PUBLISHED_RATE_LIMITS } from './config.ts';
import { createRateLimiters, openConnection } from './connection.ts';
import { type ContractBook, createContractBook } from './market-data/contracts.ts';
import { liveSessionAuthorizer, readKeys, sendSigned } from './sign-in/live-session-authorizer.ts';
import { resetAt } from './reset-windows.ts';
import { EXECUTION_HISTORY_DAYS } from './orders/executions.ts';
import { createSession } from './session.ts';

/** Throws when a configured key is invalid, so that the operator sees it at start-up. */
export function interactiveBrokers(config: PersonConfig): Broker<'interactive-brokers'> {
  const keys = readKeys(config);
  const limiterOf = createRateLimiters(config);
  /** The limiter for requests made before the user is known. */
  const ownLimiter = limiterOf(config.consumerKey);
  const contracts = createContractBook(config.findInstrument, {
    store: config.contractStore,
    ...(config.tickers && { tickers: config.tickers }),
  });
  const authorizerOf = createAuthorizers(config, keys);
  const rsa = { method: 'RSA-SHA256', privateKey: keys.signature } as const;

  const askForToken = async <Answer>(
    path: string,
    oauth: Readonly<Record<string, string>>,
    read: (fields: Fields) => Answer,
  ): Promise<BrokerAnswer<Answer>> => {
    const result = await ownLimiter.run(path, SIGN_IN_PRIORITY, () =>
      sendSigned(config, rsa, { path, oauth }),
    );
    return failureOf(result) ?? reading(() => read(fieldsOf(bodyOf(result), 'the token answer')));
  };

  return {
    ...commonOf(config),

    async beginAuthorization({ callbackUrl }): Promise<BrokerAnswer<PendingAuthorization>> {
      const answer = await askForToken('/oauth/request_token', { oauth_callback: 'oob' }, (fields) =>
        textOf(fields, 'oauth_token'),
      );
      if (answer.outcome === 'failed') return answer;
      const requestToken = answer.value;
      const page = new URL(config.authorizeUrl);
      page.searchParams.set('oauth_token', requestToken);
      page.searchParams.set('redirect_uri', callbackUrl);
      return { outcome: 'ok', value: { requestToken, authorizeUrl: page.href } };
    },

    async completeAuthorization({
      requestToken,
      verifier,
    }): Promise<BrokerAnswer<Authorization<'interactive-brokers'>>> {
      const asked = { oauth_token: requestToken, oauth_verifier: verifier };
      const answer = await askForToken('/oauth/access_token', asked, readCredentials);
      if (answer.outcome === 'failed') return answer;
      const credentials = answer.value;
      return { outcome: 'ok', value: { credentials, isPaper: credentials.isPaper } };
    },

    openSession(credentials) {
      const limiter = limiterOf(String(credentials.accessToken));
      return open(config, authorizerOf(credentials, limiter), { limiter, contracts });
    },
  };
}

/** One authorizer for each permission: a new live session token would supersede the one that is in use. */
function createAuthorizers(config: PersonConfig, keys: ReturnType<typeof readKeys>) {
  const authorizers = new Map<string, Authorizer>();
  return (credentials: BrokerCredentials, limiter: RateLimiter): Authorizer => {
    const permission = JSON.stringify([credentials.accessToken, credentials.accessTokenSecret]);
    const known = authorizers.get(permission);
    if (known) return known;
    const authorizer = liveSessionAuthorizer(config, keys, credentials, limiter);
    authorizers.set(permission, authorizer);
    return authorizer;
  };
}

function readCredentials(fields: Fields) {
  return {
    accessToken: textOf(fields, 'oauth_token'),
    accessTokenSecret: textOf(fields, 'oauth_token_secret'),
    // The published schema calls the flag of its own example is_true.
    isPaper: asFlag(fields.is_paper ?? fields.is_true) === true,
  } satisfies BrokerCredentials;
}

/**
 * One adviser user name for the accounts of all clients: every session uses the same connection. Clients are linked
 * to the adviser at the vendor, so they do not sign in here.
 */
export function interactiveBrokersAdviser(config: AdviserConfig): Broker<'interactive-brokers'> {
  const limiter = createRateLimiters(config)(config.credential);
  const authorizer = adviserAuthorizer(config, limiter);
  const contracts = createContractBook(config.findInstrument, {
    store: config.contractStore,
    ...(config.tickers && { tickers: config.tickers }),
  });
  const refusal = failed(
    'refused',
    "an adviser's clients are linked to their accounts by the staff, not by a sign-in of their own",
  );
  let session: Promise<BrokerAnswer<BrokerSession>> | null = null;
  const holders = new WeakMap<BrokerSession, number>();
  /** Ends with its last holder: a session that closes must not end the connection that others trade over. */
  const held = (shared: BrokerSession): BrokerSession => {
    let isHeld = true;
    holders.set(shared, (holders.get(shared) ?? 0) + 1);
    return {
      ...shared,
      sessionState: () => (isHeld ? shared.sessionState() : { status: 'closed', detail: '' }),
      async close() {
        if (!isHeld) return;
        isHeld = false;
        const left = (holders.get(shared) ?? 1) - 1;
        holders.set(shared, left);
        if (left > 0) return;
        session = null;
        await shared.close();
      },
    };
  };
  return {
    ...commonOf(config),
    linksAccounts: 'staff',
    beginAuthorization: () => Promise.resolve(refusal),
    completeAuthorization: () => Promise.resolve(refusal),
    async openSession() {
      for (;;) {
        session ??= open(config, authorizer, { limiter, contracts });
        const mine = session;
        const answer = await mine;
        const isOpen = answer.outcome === 'ok' && answer.value.sessionState().status !== 'closed';
        if (isOpen && session === mine) return { outcome: 'ok', value: held(answer.value) };
        if (session === mine) session = null;
        if (answer.outcome === 'failed') return answer;
      }
    },
  };
}

async function open(
  config: CommonConfig,
  authorizer: Authorizer,
  { limiter, contracts }: { readonly limiter: RateLimiter; readonly contracts: ContractBook },
): Promise<BrokerAnswer<BrokerSession>> {
  const connection = openConnection(config, authorizer, limiter);
  const signedIn = await connection.signIn();
  if (signedIn.outcome === 'failed') return signedIn;
  const { compete = true, sleep, findInstrument } = config;
  const brokerage = createBrokerage(connection, { compete, sleep });
  // The trading session starts with the first call that needs it: a user name has only one, and a process that only
  // reads must not take it from another of our processes.
  const streamUrl = streamUrlOf(config);
  const tools = { connection, brokerage, contracts, findInstrument, streamUrl, sleep };
  return { outcome: 'ok', value: createSession(tools) };
}

/** An HTTP client without sockets has no stream. */
function streamUrlOf({ baseUrl, websocketUrl, fetch }: CommonConfig): string | null {
  if (websocketUrl !== undefined) return websocketUrl;
  return fetch === undefined ? `${baseUrl.replace(/^http/, 'ws')}/ws` : null;
}

function commonOf({ keepsMarketTime, rateLimits = PUBLISHED_RATE_LIMITS }: CommonConfig) {
  const listsEveryMs = Math.max(...LISTS.map((path) => rateLimits.spacingMs[path] ?? 0));
  const limits = { ...COMMON.limits, listsEveryMs };
  return { ...COMMON, limits, ...(keepsMarketTime && { keepsMarketTime }) };
}

const LISTS = ['/iserver/account/orders', '/iserver/account/trades'];

const COMMON = {
  vendor: 'interactive-brokers',
  limits: {
    executionHistoryDays: EXECUTION_HISTORY_DAYS,
    // Orders have been missing from the vendor's lists for up to 15 minutes.
    listLagMs: 900_000,
    // The vendor accepts only limit and market orders for coins.
    stopKinds: ['equity', 'forex', 'futures'],
    // Its question about fractional quantities is not confirmed.
    sizing: {
      steps: { equity: { long: toQuantity(1), short: toQuantity(1) } },
      closesBeforeTurning: false,
    },
  },
  resetAt,
} as const;
