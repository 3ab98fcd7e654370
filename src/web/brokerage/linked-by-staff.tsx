import { useEffect, useEffectEvent } from 'react';
import type { Broker, BrokerConnection } from '#contract/brokerage.ts';
import { PROVIDER } from '../call/provider.ts';
import { useSession } from '../call/session.tsx';
import { Spinner } from '../kit/state/spinner.tsx';
import { ConnectedAccount } from './connected-account.tsx';

const LOOK_EVERY_MS = 5_000;

/** For accounts under the adviser: staff link one, and this page detects it. */
export function LinkedByStaff({
  broker,
  connected,
  onConnected,
}: {
  broker: Broker;
  connected: BrokerConnection | null;
  onConnected: (connectionId: string) => void;
}) {
  const { user, reloadUser } = useSession();
  const look = useEffectEvent(() => void reloadUser());
  const isWaiting = connected === null;
  useEffect(() => {
    if (!isWaiting) return;
    const looking = window.setInterval(look, LOOK_EVERY_MS);
    return () => window.clearInterval(looking);
  }, [isWaiting]);

  if (connected !== null) {
    return (
      <ConnectedAccount connection={connected} onUse={onConnected}>
        Our staff have linked it to your profile. You can deploy with it.
      </ConnectedAccount>
    );
  }
  return (
    <div className="grid gap-6">
      <ol className="grid list-decimal gap-2 pl-5 text-ink-soft marker:text-ink-faint">
        <li>
          Open an account at {broker.name} under our adviser account, or move yours there. It stays in your
          own name.
        </li>
        <li>
          Write to{' '}
          <a href={`mailto:${PROVIDER.contactEmail}`} className="text-accent underline underline-offset-4">
            {PROVIDER.contactEmail}
          </a>{' '}
          from {user?.email}, with the account number. Our staff will link it.
        </li>
        <li>Come back at any time: this page updates once the account is linked.</li>
      </ol>
      <div className="flex items-center gap-4 rounded-surface border p-4">
        <Spinner className="text-accent" />
        <p role="status" className="text-sm">
          Waiting for your account at {broker.name} to be linked...
        </p>
      </div>
    </div>
  );
}
