import type { ReactNode } from 'react';
import type { BrokerConnection } from '#contract/brokerage.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';

export function ConnectedAccount({
  connection: { id, account_id },
  onUse,
  children,
}: {
  connection: BrokerConnection;
  onUse: (connectionId: string) => void;
  children: ReactNode;
}) {
  return (
    <Notice
      title={`Your account ${account_id ?? ''} is connected`}
      action={
        <Button size="small" onClick={() => onUse(id)}>
          Use this account
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
