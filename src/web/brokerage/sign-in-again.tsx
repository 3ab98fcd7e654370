import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { BrokerConnection } from '#contract/brokerage.ts';
import { useSession } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { useConnectBroker } from './use-connect-broker.ts';

/** Renews the permission of an account that is connected already, by the broker's own sign-in in a new window. */
export function SignInAgain({ connection }: { connection: BrokerConnection }) {
  const [isConnecting, setConnecting] = useState(false);
  const cache = useQueryClient();
  const { reloadUser } = useSession();
  const { failure, address, start, cancel } = useConnectBroker({
    broker: { id: connection.broker, name: connection.broker_name },
    isConnecting,
    onConnecting: setConnecting,
    onConnected: () => {
      void cache.invalidateQueries({ queryKey: ['deployments'] });
      void reloadUser();
    },
    onChoose: () => void reloadUser(),
  });
  return (
    <div className="grid max-w-52 justify-items-start gap-2">
      {isConnecting ? (
        <Button variant="secondary" size="small" onClick={cancel}>
          Cancel
        </Button>
      ) : (
        <Button size="small" onClick={start}>
          Sign in again
        </Button>
      )}
      {isConnecting && address && (
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          className="text-accent underline underline-offset-4"
        >
          No window? Open it here
        </a>
      )}
      {failure && <p role="alert">{failure}</p>}
    </div>
  );
}
