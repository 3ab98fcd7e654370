import type { brokerageEndpoints } from '#contract/brokerage.ts';
import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import { brokerOf } from '#ports/brokers.ts';
import {
  failConnection,
  findOwnConnection,
  takePendingAttempt,
} from '#records/brokerage/broker-connections.ts';
import { grantAccess } from '#records/brokerage/granted-access.ts';
import { credentialsPurpose, sealSecret } from '#records/keys/sealed-secret.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { isBoundBrowser } from './bind-browser.ts';
import { closingPage, CLOSING_PAGE_POLICY, type ClosingPage } from './closing-page.ts';
import { hashState } from './hash-state.ts';
import { settleSignIn } from './settle-sign-in.ts';

/** The callback of the broker's sign-in. The state identifies the attempt and works once. */
export const completeConnection: Call<typeof brokerageEndpoints.completeBrokerConnection> = async (
  { query, request, reply },
  dependencies,
) => {
  const isBound = isBoundBrowser(request, query.state ?? '', dependencies.config.publicUrl);
  const page = isBound ? await finish(query, dependencies) : ELSEWHERE;
  reply.header('content-security-policy', CLOSING_PAGE_POLICY);
  if (page.outcome === 'invalid') reply.status(400);
  return closingPage(page);
};

type Query = { readonly state?: string; readonly [other: string]: unknown };

async function finish(query: Query, dependencies: Dependencies): Promise<ClosingPage> {
  const { records, brokers, config, keys, now } = dependencies;
  const stateHash = hashState(query.state ?? '');
  const attempt = await takePendingAttempt(records.database, { stateHash, at: now() });
  if (!attempt) return INVALID;
  const fail = async (reason: string): Promise<ClosingPage> => {
    await failConnection(records.database, { id: attempt.id, said: reason });
    return { outcome: 'failed', message: reason };
  };
  const token = query['oauth_token'];
  if (token !== undefined && token !== attempt.requestToken) {
    return fail('The broker’s answer belongs to a different sign-in.');
  }
  // OAuth 1.0a and OAuth 2 name it differently.
  const verifier = query['oauth_verifier'] ?? query['code'];
  if (typeof verifier !== 'string' || verifier === '')
    return fail('You did not approve access at the broker.');
  const vendor = attempt.brokerSlug;
  const done = await brokerOf(brokers, vendor).completeAuthorization({
    requestToken: attempt.requestToken,
    verifier,
  });
  if (done.outcome === 'failed') return fail(FAILURE_SENTENCES[done.code]);
  if (config.takesPaperOnly && !done.value.isPaper) return fail(REAL_MONEY);
  await grantAccess(records.database, {
    id: attempt.id,
    sealedCredentials: sealSecret(JSON.stringify(done.value.credentials), {
      keys,
      purpose: credentialsPurpose({ id: attempt.id, vendor }),
    }),
    isPaper: done.value.isPaper,
    expiresAt: (now() + TIME_TO_LIST_MS) as Instant,
  });
  const { id, userId } = attempt;
  const granted = await findOwnConnection(records.database, { id, userId });
  const settled = granted && (await settleSignIn(granted, PATIENCE_MS, dependencies));
  if (settled?.type === 'fail') return { outcome: 'failed', message: settled.said };
  return settled?.type === 'connect' ? CONNECTED : settled?.type === 'choose' ? CHOOSE : GRANTED;
}

const CONNECTED: ClosingPage = {
  outcome: 'connected',
  message: 'Your broker account is connected. You can close this window.',
};

const CHOOSE: ClosingPage = {
  outcome: 'granted',
  message: 'Close this window and choose in Bellwether which of your accounts to use.',
};

const GRANTED: ClosingPage = {
  outcome: 'granted',
  message: 'You can close this window: Bellwether connects your account on its own.',
};

const ELSEWHERE: ClosingPage = {
  outcome: 'invalid',
  message:
    'This sign-in was started in a different browser or at a different address. Nothing was connected. Start again from your account.',
};

const INVALID: ClosingPage = {
  outcome: 'invalid',
  message: 'This sign-in has expired or was already used. Go back to Bellwether and connect again.',
};

const REAL_MONEY =
  'This is an account with real money, and this installation trades practice money only. Connect a paper account.';

const FAILURE_SENTENCES: Readonly<Record<BrokerFailureCode, string>> = {
  unreachable: 'The broker did not respond. Please connect again.',
  unauthorized: 'The broker did not accept the sign-in. Please connect again.',
  no_session: 'The broker could not start a session. Please connect again.',
  rate_limited: 'The broker asks us to slow down. Please try again in a few minutes.',
  refused: 'The broker refused the connection.',
  unreadable: 'We could not read the broker’s answer. Please connect again.',
};

/** How long the closing window waits for the trader; later the page that polls settles it. */
const PATIENCE_MS = 8 * SECOND_MS;
const TIME_TO_LIST_MS = 10 * MINUTE_MS;
