import { ExternalLink } from 'lucide-react';
import type { Broker, BrokerConnection } from '#contract/brokerage.ts';
import { Button } from '../kit/control/button.tsx';
import { EmptyState } from '../kit/state/empty-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Spinner } from '../kit/state/spinner.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { ChooseAccount } from './choose-account.tsx';
import { ConnectedAccount } from './connected-account.tsx';
import { LinkedByStaff } from './linked-by-staff.tsx';
import { OwnAccount } from './own-account.tsx';
import { type ConnectHandlers, useConnectBroker } from './use-connect-broker.ts';

/** The connect form of the chosen broker, or why there is none. */
export function ConnectBroker({
  broker,
  onChooseAnother,
  ...form
}: Omit<ConnectFormProps, 'broker'> & {
  broker: Broker | null;
  onChooseAnother: () => void;
}) {
  if (broker === null) {
    return (
      <EmptyState
        title="No broker selected"
        action={<Button onClick={onChooseAnother}>Select Broker</Button>}
      />
    );
  }
  if (broker.status !== 'available') {
    return (
      <EmptyState
        title={broker.status === 'coming_soon' ? 'Integration Coming Soon' : 'Not Offered Here'}
        action={<Button onClick={onChooseAnother}>Choose Different Broker</Button>}
      >
        {broker.status === 'coming_soon'
          ? `Accounts at ${broker.name} cannot be connected yet.`
          : `Bellwether trades at ${broker.name}, but this installation is not set up for it.`}
      </EmptyState>
    );
  }
  if (broker.linked_by === 'staff')
    return <LinkedByStaff broker={broker} connected={form.connected} onConnected={form.onConnected} />;
  if (broker.linked_by === 'operator')
    return <OwnAccount broker={broker} connected={form.connected} onConnected={form.onConnected} />;
  return <ConnectForm broker={broker} {...form} />;
}

type ConnectFormProps = ConnectHandlers & {
  readonly broker: Broker;
  /** An account at this broker that is connected already. */
  readonly connected: BrokerConnection | null;
  /** A sign-in at this broker that granted several accounts. */
  readonly choosing: BrokerConnection | null;
};

function ConnectForm({ broker, connected, choosing, ...handlers }: ConnectFormProps) {
  const { failure, address, start, cancel } = useConnectBroker({ ...handlers, broker });
  const { isConnecting, onConnected } = handlers;
  return (
    <div className="grid gap-6">
      {choosing && !isConnecting && <ChooseAccount connection={choosing} onChosen={onConnected} />}
      {connected && !choosing && !isConnecting && (
        <ConnectedAccount connection={connected} onUse={onConnected}>
          You can deploy with it, or connect another account below.
        </ConnectedAccount>
      )}
      {!choosing && <HowToConnect broker={broker} />}
      {failure && <Notice tone="failure">{failure}</Notice>}
      {isConnecting ? (
        <div className="flex flex-wrap items-center gap-4 rounded-surface border p-4">
          <Spinner className="text-accent" />
          <p role="status" className="flex-1 text-sm">
            Waiting for you to sign in at {broker.name}...
            {address && (
              <>
                {' '}
                <a
                  href={address}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="inline-flex items-center gap-1 text-accent underline underline-offset-4"
                >
                  No window? Open it here
                  <ExternalLink className="size-3.5" aria-hidden="true" />
                </a>
              </>
            )}
          </p>
          <Button variant="secondary" onClick={cancel}>
            Cancel
          </Button>
        </div>
      ) : (
        <div>
          <Button size="large" variant={connected || choosing ? 'secondary' : 'primary'} onClick={start}>
            {choosing ? 'Connect again' : 'Click Here To Connect'}
          </Button>
        </div>
      )}
    </div>
  );
}

function HowToConnect({ broker }: { broker: Broker }) {
  return (
    <>
      <ol className="grid list-decimal gap-2 pl-5 text-ink-soft marker:text-ink-faint">
        <li>Press Click Here To Connect. The sign-in page of {broker.name} opens in a new window.</li>
        <li>Sign in there and allow access. We never see your password, and we cannot withdraw money.</li>
        <li>Come back here. This page continues on its own once you are connected.</li>
      </ol>
      <p className="text-sm text-ink-faint">
        No account yet, or something is not working? See the{' '}
        <TextLink to="/broker-documentations" target="_blank">
          broker documentation
        </TextLink>
        .
      </p>
    </>
  );
}
