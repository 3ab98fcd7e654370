import type { Broker, BrokerConnection } from '#contract/brokerage.ts';
import { Notice } from '../kit/state/notice.tsx';
import { ConnectedAccount } from './connected-account.tsx';

/** For an installation that one person runs with the keys of their own account: the start connects it. */
export function OwnAccount({
  broker,
  connected,
  onConnected,
}: {
  broker: Broker;
  connected: BrokerConnection | null;
  onConnected: (connectionId: string) => void;
}) {
  if (connected === null)
    return (
      <Notice>
        This installation trades the {broker.name} account of its own keys. Start it again to connect that
        account.
      </Notice>
    );
  return (
    <ConnectedAccount connection={connected} onUse={onConnected}>
      It is the account of the keys that this installation was started with. You can deploy with it.
    </ConnectedAccount>
  );
}
