// The steps that cases share.
import { strict as assert } from 'node:assert';
import type { Authorization, BrokerAnswer, BrokerSession, SubmitResult } from '#ports/broker.ts';
import type { BrokerHarness } from './conformance-case.ts';

export const CALLBACK = 'http://127.0.0.1:3000/api/broker-callback/?state=s';

export async function signedIn(harness: BrokerHarness) {
  const pending = value(await harness.broker.beginAuthorization({ callbackUrl: CALLBACK }));
  const verifier = await harness.decide(pending.authorizeUrl, 'approve');
  assert.ok(verifier, 'an approval comes back with a verifier');
  const { requestToken } = pending;
  const authorization: Authorization = value(
    await harness.broker.completeAuthorization({ requestToken, verifier }),
  );
  const session: BrokerSession = value(await harness.broker.openSession(authorization.credentials));
  const accountId = value(await session.accounts())[0]?.accountId;
  assert.ok(accountId, 'there is an account');
  return { authorization, accountId, session };
}

export function value<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') assert.fail(`${answer.code}: ${answer.reason}`);
  return answer.value;
}

export function accepted(result: SubmitResult): string {
  if (result.outcome !== 'accepted') assert.fail(JSON.stringify(result));
  return result.brokerOrderId;
}
