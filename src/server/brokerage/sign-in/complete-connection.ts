import type { BrokerAccountId } from '#units/identifiers.ts';
import type { brokerageEndpoints } from '#contract/brokerage.ts';
import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import {
  activateConnection,
  failConnection,
  findConnectionTo,
  removeConnection,
  setPrimaryConnection,
  takePendingAttempt,
  type TakenAttempt,
} from '#records/brokerage/broker-connections.ts';
import { credentialsPurpose, sealSecret } from '#records/brokerage/sealed-secret.ts';
import type { Call } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { isBoundBrowser } from './bind-browser.ts';
import { closingPage, CLOSING_PAGE_POLICY, type ClosingPage } from './closing-page.ts';
import { hashState } from './hash-state.ts';

/** The callback of the broker's sign-in. The state identifies the attempt and works once. */
export const completeConnection: Call<typeof brokerageEndpoints.completeBrokerConnection> = async (
  { query, request, reply },
  dependencies,
) => {
  const isBound = isBoundBrowser(request, query.state ?? '');
  const page = isBound ? await finish(query, dependencies) : ELSEWHERE;
  reply.header('content-security-policy', CLOSING_PAGE_POLICY);
  if (page.outcome === 'invalid') reply.status(400);
  return closingPage(page);
};

type Query = { readonly state?: string; readonly [other: string]: unknown };

async function finish(query: Query, dependencies: Dependencies): Promise<ClosingPage> {
  const { records, broker, now } = dependencies;
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
  const verifier = query['oauth_verifier'];
  if (typeof verifier !== 'string' || verifier === '')
    return fail('You did not approve access at the broker.');
  const done = await broker.completeAuthorization({ requestToken: attempt.requestToken, verifier });
  if (done.outcome === 'failed') return fail(FAILURE_SENTENCES[done.code]);
  const account = done.value.accounts[0];
  if (!account) return fail('The broker lists no account that we may trade.');
  if (account.currency !== 'USD')
    return fail(`The account’s base currency is ${account.currency}; we support USD accounts only.`);
  await keep({ attempt, accountId: account.accountId, credentials: done.value.credentials }, dependencies);
  return { outcome: 'connected', message: 'Your broker account is connected. You can close this window.' };
}

type Connected = {
  readonly attempt: TakenAttempt;
  readonly accountId: BrokerAccountId;
  readonly credentials: object;
};

/** An account that this user connected before keeps its connection, with the new credentials. */
async function keep({ attempt, accountId, credentials }: Connected, { records, config, now }: Dependencies) {
  const { userId, brokerId } = attempt;
  await records.database.transaction().execute(async (trx) => {
    const known = await findConnectionTo(trx, { userId, brokerId, accountId });
    const id = known ?? attempt.id;
    const sealedCredentials = sealSecret(JSON.stringify(credentials), {
      key: config.sealingKey,
      purpose: credentialsPurpose(id),
    });
    await activateConnection(trx, { id, accountId, sealedCredentials, at: now() });
    if (known) await removeConnection(trx, attempt.id);
    if (attempt.isPrimary) await setPrimaryConnection(trx, { id, userId });
  });
}

const ELSEWHERE: ClosingPage = {
  outcome: 'invalid',
  message:
    'This sign-in was started in a different browser or at a different address. Nothing was connected. Start again from your account.',
};

const INVALID: ClosingPage = {
  outcome: 'invalid',
  message: 'This sign-in has expired or was already used. Go back to Bellwether and connect again.',
};

const FAILURE_SENTENCES: Readonly<Record<BrokerFailureCode, string>> = {
  unreachable: 'The broker did not respond. Please connect again.',
  unauthorized: 'The broker did not accept the sign-in. Please connect again.',
  no_session: 'The broker could not start a session. Please connect again.',
  rate_limited: 'The broker asks us to slow down. Please try again in a few minutes.',
  refused: 'The broker refused the connection.',
  unreadable: 'We could not read the broker’s answer. Please connect again.',
};
