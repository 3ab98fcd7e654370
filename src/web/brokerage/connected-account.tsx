import type { ReactNode } from 'react';
import type { BrokerConnection } from '#contract/brokerage.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { accountTitle } from './account-title.ts';

export function ConnectedAccount({
  connection,
  onUse,
  children,
}: {
  connection: BrokerConnection;
  onUse: (connectionId: string) => void;
  children: ReactNode;
}) {
  return (
    <Notice
      title={`${accountTitle(connection)} is connected`}
      action={
        <Button size="small" onClick={() => onUse(connection.id)}>
          Use this account
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
