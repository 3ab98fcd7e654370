import type { BrokerAnswer, BrokerCredentials, BrokerSession } from '#ports/broker.ts';
import type { ConnectionRecord } from '#records/brokerage/broker-connections.ts';
import { credentialsPurpose, openSecret } from '#records/brokerage/sealed-secret.ts';
import type { Dependencies } from '../http/dependencies.ts';

/** Opens the broker session of a connection, lets `ask` use it, and always closes it. */
export async function askBroker<Value>(
  connection: ConnectionRecord,
  ask: (session: BrokerSession) => Promise<BrokerAnswer<Value>>,
  { broker, config }: Dependencies,
): Promise<BrokerAnswer<Value>> {
  if (connection.sealedCredentials === null) {
    return { outcome: 'failed', code: 'unauthorized', reason: 'the connection holds no credentials' };
  }
  const text = openSecret(connection.sealedCredentials, {
    key: config.sealingKey,
    purpose: credentialsPurpose(connection.id),
  });
  const opened = await broker.openSession(JSON.parse(text) as BrokerCredentials);
  if (opened.outcome === 'failed') return opened;
  try {
    return await ask(opened.value);
  } finally {
    await opened.value.close();
  }
}
