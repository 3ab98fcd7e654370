// The brokers of this installation, one adapter a vendor. Which one trades is decided by the connection, nowhere else.
import type { BrokerConnectionId } from '#units/identifiers.ts';
import type { Broker, BrokerAnswer, BrokerCredentials, BrokerSession } from './broker.ts';

/** In the order of the settings. */
export type Brokers = readonly Broker[];

/** Throws when the installation has no such vendor; the start refuses connections of one. */
export function brokerOf<Vendor extends string>(brokers: Brokers, vendor: Vendor): Broker<Vendor> {
  const found = findBrokerOf(brokers, vendor);
  if (found === undefined) throw new Error(`no broker of the vendor ${vendor} is set up`);
  return found;
}

export function findBrokerOf<Vendor extends string>(
  brokers: Brokers,
  vendor: Vendor,
): Broker<Vendor> | undefined {
  return brokers.find((one): one is Broker<Vendor> => one.vendor === vendor);
}

/** Opens the sealed credentials of a connection, for its vendor alone; throws when the key differs. */
export type OpenCredentials = <Vendor extends string>(
  connection: { readonly id: BrokerConnectionId; readonly vendor: Vendor },
  sealed: Uint8Array,
) => BrokerCredentials<Vendor> | Promise<BrokerCredentials<Vendor>>;

export type SessionOpener = { readonly brokers: Brokers; readonly openCredentials: OpenCredentials };

/** The only way from stored credentials to a session: both are of the connection's own vendor. */
export async function openSessionOf<Vendor extends string>(
  { brokers, openCredentials }: SessionOpener,
  connection: {
    readonly id: BrokerConnectionId;
    readonly vendor: Vendor;
    readonly sealedCredentials: Uint8Array;
  },
): Promise<BrokerAnswer<BrokerSession>> {
  const broker = brokerOf(brokers, connection.vendor);
  return broker.openSession(await openCredentials(connection, connection.sealedCredentials));
}
