import { randomBytes, randomUUID } from 'node:crypto';
import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { findBrokerOf } from '#ports/brokers.ts';
import { createConnection, findOwnConnection } from '#records/brokerage/broker-connections.ts';
import { findBroker } from '#records/brokerage/brokers.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { bindBrowser, callbackAddress } from './bind-browser.ts';
import { hashState } from './hash-state.ts';
import { showConnection } from '../../answers/show-connection.ts';

const TIME_TO_SIGN_IN_MS = 10 * MINUTE_MS;

/** Requests a sign-in at the broker. The callback carries a 256-bit state that works once and is bound to this user. */
export const beginConnection: Call<typeof brokerageEndpoints.createBrokerConnection> = async (
  { body, caller, request, reply },
  { records, brokers, config, now },
) => {
  const broker = await findBroker(records.database, body.broker);
  if (!broker) return refuse('invalid_field', 'This broker does not exist', { field: 'broker' });
  const port = findBrokerOf(brokers, broker.slug);
  if (broker.status !== 'available' || port === undefined) {
    const message = `${broker.name} cannot be connected yet. Please choose a different broker.`;
    return refuse('broker_not_integrated', message, { field: 'broker' });
  }
  if (port.linksAccounts !== undefined) {
    const message =
      port.linksAccounts === 'staff'
        ? `Our staff link accounts at ${broker.name}. Contact support with your account number.`
        : `This installation trades the ${broker.name} account of its own keys. Start it again to connect that account.`;
    return refuse('broker_not_integrated', message, { field: 'broker' });
  }
  const state = randomBytes(32).toString('base64url');
  const callback = callbackAddress(request, config.publicUrl);
  callback.searchParams.set('state', state);
  const begun = await port.beginAuthorization({ callbackUrl: callback.href });
  if (begun.outcome === 'failed') {
    return refuse('broker_unavailable', `Failed to initiate ${broker.name} connection`, {
      retryAfterSeconds: 10,
    });
  }
  const id = randomUUID() as BrokerConnectionId;
  const { userId } = caller;
  const at = now();
  await createConnection(records.database, {
    id,
    userId,
    brokerId: broker.id,
    // Takes effect only after the broker agrees: until then the working connection stays primary.
    isPrimary: body.is_primary ?? false,
    stateHash: hashState(state),
    requestToken: begun.value.requestToken,
    at,
    expiresAt: (at + TIME_TO_SIGN_IN_MS) as Instant,
  });
  bindBrowser(reply, state, { publicUrl: config.publicUrl, seconds: TIME_TO_SIGN_IN_MS / SECOND_MS });
  const connection = await findOwnConnection(records.database, { id, userId });
  if (!connection) return notFound();
  return { ...showConnection(connection, at), authorize_url: begun.value.authorizeUrl };
};
