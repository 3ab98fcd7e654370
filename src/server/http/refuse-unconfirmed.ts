import type { Endpoint } from '#contract/http/endpoint.ts';
import { type Confirmation, findConfirmation } from '#records/identity/sessions.ts';
import { MINUTE_MS } from '#units/instant.ts';
import type { Caller } from './call.ts';
import type { Dependencies } from './dependencies.ts';
import { refuse, type Refused } from './refusal.ts';

/** How long a sign-in or a confirmation lasts for what moves money or changes how a person signs in. */
const CONFIRMED_MS = 10 * MINUTE_MS;

export async function refuseUnconfirmed(
  { sessionId }: Caller,
  confirms: NonNullable<Endpoint['confirms']>,
  { records, now }: Dependencies,
): Promise<Refused | null> {
  const found = await findConfirmation(records.pool, sessionId);
  if (found === null || (confirms === 'second factor' && !found.hasSecondFactor)) return null;
  if (now() - found.confirmedAt.getTime() < CONFIRMED_MS) return null;
  return refuse('confirmation_required', 'Please confirm that it is you.', {
    details: { by: byWhat(found) },
  });
}

/** With a passkey, a code works as well. */
function byWhat({ hasPasskey, hasSecondFactor }: Confirmation): 'passkey' | 'code' | 'password' {
  if (hasPasskey) return 'passkey';
  return hasSecondFactor ? 'code' : 'password';
}
