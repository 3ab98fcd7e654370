// Interactive Brokers behind the broker port, by its Web API with OAuth 1.0a.
import type {
  Authorization,
  Broker,
  BrokerAnswer,
  BrokerCredentials,
  BrokerSession,
  PendingAuthorization,
} from '#ports/broker.ts';
import { bodyOf, createBrokerage } from './brokerage.ts';
import type { InteractiveBrokersConfig } from './config.ts';
import { openConnection, readKeys, sendSigned } from './connection.ts';
import { createContractBook } from './contracts.ts';
import type { PenaltyBox } from './pacer.ts';
import { createPortfolio } from './portfolio.ts';
import { resetAt } from './reset-windows.ts';
import { createSession, EXECUTION_HISTORY_DAYS } from './session.ts';
import { failed, failureOf } from './transport.ts';

/** Throws when a key of the configuration is no key: that is for the operator, at the start. */
export function interactiveBrokers(config: InteractiveBrokersConfig): Broker {
  const keys = readKeys(config);
  const box: PenaltyBox = { until: 0 };
  const contracts = createContractBook(config.findInstrument);
  const rsa = { method: 'RSA-SHA256', privateKey: keys.signature } as const;

  const askForToken = async (
    path: string,
    oauth: Readonly<Record<string, string>>,
  ): Promise<BrokerAnswer<Readonly<Record<string, unknown>>>> => {
    const result = await sendSigned(config, rsa, { method: 'POST', path, oauth });
    const failure = failureOf(result);
    if (failure) return failure;
    const body = bodyOf(result);
    if (typeof body !== 'object' || body === null || !('oauth_token' in body))
      return failed('unreadable', 'the broker answered without a token');
    return { outcome: 'ok', value: body as Readonly<Record<string, unknown>> };
  };

  return {
    vendor: 'interactive-brokers',
    limits: { executionHistoryDays: EXECUTION_HISTORY_DAYS, listLagMs: LIST_LAG_MS },
    resetAt,

    async beginAuthorization({ callbackUrl }): Promise<BrokerAnswer<PendingAuthorization>> {
      const answer = await askForToken('/oauth/request_token', { oauth_callback: 'oob' });
      if (answer.outcome === 'failed') return answer;
      const requestToken = String(answer.value.oauth_token);
      const page = new URL(config.authorizeUrl);
      page.searchParams.set('oauth_token', requestToken);
      page.searchParams.set('redirect_uri', callbackUrl);
      return { outcome: 'ok', value: { requestToken, authorizeUrl: page.href } };
    },

    async completeAuthorization({ requestToken, verifier }): Promise<BrokerAnswer<Authorization>> {
      const answer = await askForToken('/oauth/access_token', {
        oauth_token: requestToken,
        oauth_verifier: verifier,
      });
      if (answer.outcome === 'failed') return answer;
      const isPaper = answer.value.is_paper === true;
      const credentials: BrokerCredentials = {
        accessToken: String(answer.value.oauth_token),
        accessTokenSecret: String(answer.value.oauth_token_secret),
        isPaper,
      };
      const portfolio = createPortfolio(openConnection(config, keys, credentials, box));
      // The request token is spent: giving up at the first failure would cost the person another sign-in.
      for (let attempt = 1; ; attempt++) {
        const accounts = await portfolio.accounts();
        if (accounts.outcome === 'ok')
          return { outcome: 'ok', value: { credentials, accounts: accounts.value, isPaper } };
        if (attempt === ACCOUNT_ATTEMPTS) return accounts;
      }
    },

    async openSession(credentials): Promise<BrokerAnswer<BrokerSession>> {
      const connection = openConnection(config, keys, credentials, box);
      const signedIn = await connection.signIn();
      if (signedIn.outcome === 'failed') return signedIn;
      const brokerage = createBrokerage(connection, {
        compete: config.compete ?? true,
        sleep: config.sleep,
      });
      const { findInstrument } = config;
      // The trading session starts with the first call that needs it: whoever only reads must not take it from
      // another process of ours, since a user name has one.
      return { outcome: 'ok', value: createSession({ connection, brokerage, contracts, findInstrument }) };
    },
  };
}

const ACCOUNT_ATTEMPTS = 3;
/** Orders have been missing from the vendor's lists for up to a quarter of an hour. */
const LIST_LAG_MS = 900_000;
