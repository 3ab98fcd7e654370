import type { ReactNode } from 'react';
import { buttonClasses } from '../control/button-look.ts';
import { Notice } from './notice.tsx';

/** The bank wants its client to confirm a payment on a page of the payment service, which leads nowhere else. */
export function ConfirmAtBank({ page, children }: { page: string; children: ReactNode }) {
  return (
    <Notice
      tone="caution"
      title="Your bank wants you to confirm this payment"
      action={
        <a href={page} target="_blank" rel="noreferrer" className={buttonClasses({ size: 'small' })}>
          Confirm it
        </a>
      }
    >
      {children}
    </Notice>
  );
}
