import { useState } from 'react';
import type { Broker, BrokerConnection } from '#contract/brokerage.ts';
import { useBrokers } from '../../brokerage/brokerage-queries.ts';
import { ChooseAccount } from '../../brokerage/choose-account.tsx';
import { useSession, useUser } from '../../call/session.tsx';
import { Badge } from '../../kit/state/badge.tsx';
import { Button } from '../../kit/control/button.tsx';
import { useHasProvider } from '../../call/installation.ts';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { TextLink } from '../../kit/control/text-link.tsx';
import { BrokerAccount } from './broker-account.tsx';
import { BROKER_STATUS_WORDS } from '../../brokerage/broker-status-words.ts';

/** Specification section 8, account screen. */
const ONLY_WHILE_DEPLOYING =
  'Failed to connect broker. Broker integration is allowed only while deploying a strategy.';

export function BrokersTab() {
  const { connectedBrokers, broker_connections: connections } = useUser();
  const brokers = useBrokers();
  const hasProvider = useHasProvider();
  const [refused, setRefused] = useState(false);
  if (brokers.isPending) return <Skeleton className="h-64" />;
  if (brokers.data === undefined) {
    return <ErrorState title="The brokers could not be loaded" onRetry={() => void brokers.refetch()} />;
  }
  return (
    <div className="grid max-w-3xl gap-6">
      {refused && (
        <Notice tone="failure">
          {ONLY_WHILE_DEPLOYING} <TextLink to="/marketplace">Choose a strategy in the marketplace</TextLink>.
        </Notice>
      )}
      <p className="text-ink-soft">
        {hasProvider
          ? 'You connect a broker when you deploy a strategy.'
          : 'This installation trades the account of the keys that it was started with.'}
      </p>
      <ul>
        {brokers.data.map((broker) => (
          <BrokerRow
            key={broker.id}
            broker={broker}
            connected={connectedBrokers.includes(broker.id)}
            accounts={connections.filter(
              (one) =>
                one.broker === broker.id && (one.connection_status === 'active' || one.session !== null),
            )}
            choosing={connections.find(
              (one) => one.broker === broker.id && one.connection_status === 'choose_account',
            )}
            onConnect={() => setRefused(true)}
          />
        ))}
      </ul>
      <Notice title="Need help?">
        Requirements, set-up and troubleshooting are in the{' '}
        <TextLink to="/broker-documentations">broker documentation</TextLink>.
      </Notice>
    </div>
  );
}

function BrokerRow({
  broker,
  connected,
  accounts,
  choosing,
  onConnect,
}: {
  broker: Broker;
  connected: boolean;
  accounts: readonly BrokerConnection[];
  /** A sign-in that granted several accounts. */
  choosing: BrokerConnection | undefined;
  onConnect: () => void;
}) {
  const { reloadUser } = useSession();
  const trouble = accounts
    .map(({ session }) => session)
    .find((session) => session !== null && session.state !== 'connected');
  return (
    <li className="grid gap-2 border-b py-4 last:border-0">
      <div className="flex items-center gap-4">
        <img src={broker.logo} alt="" width={40} height={40} className="size-10 shrink-0" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{broker.name}</p>
          <p className="text-sm text-ink-soft">{broker.description}</p>
        </div>
        {connected || trouble ? (
          <Badge tone={trouble ? 'caution' : 'gain'}>{trouble?.title ?? 'Connected'}</Badge>
        ) : broker.status !== 'available' ? (
          <span className="text-sm text-caution">{BROKER_STATUS_WORDS[broker.status]}</span>
        ) : (
          <Button variant="secondary" size="small" aria-label={`Connect ${broker.name}`} onClick={onConnect}>
            Connect
          </Button>
        )}
      </div>
      {accounts.map((connection) => (
        <BrokerAccount key={connection.id} connection={connection} />
      ))}
      {choosing && (
        <div className="sm:pl-14">
          <ChooseAccount connection={choosing} onChosen={() => void reloadUser()} />
        </div>
      )}
    </li>
  );
}
