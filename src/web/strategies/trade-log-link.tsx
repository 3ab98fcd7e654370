import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { addressOf, call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { buttonClasses } from '../kit/control/button-look.ts';
import { showToast } from '../kit/overlay/toast.ts';

const LABEL = 'Download Complete Trade Log';

/** A public log has its own address; a draft's must be requested and works once. */
export function TradeLogLink({ strategy: { id, status } }: { strategy: Pick<Strategy, 'id' | 'status'> }) {
  const icon = <Download className="size-4" aria-hidden="true" />;
  const download = useMutation({
    mutationFn: () => call('createTradeLogLink', { params: { id } }),
    // The answer is an attachment: the page stays. A tab opened after waiting would be blocked as a popup.
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) =>
      showToast({
        type: 'error',
        title: 'The trade log was not downloaded',
        message: sentenceOf(error, 'Please try again.'),
      }),
  });
  if (status === 'draft') {
    return (
      <Button
        variant="secondary"
        size="small"
        icon={icon}
        busy={download.isPending}
        onClick={() => download.mutate()}
      >
        {LABEL}
      </Button>
    );
  }
  return (
    <a
      href={addressOf('downloadStrategyTrades', { params: { id } })}
      target="_blank"
      rel="noreferrer"
      className={buttonClasses({ variant: 'secondary', size: 'small' })}
    >
      {icon}
      {LABEL}
    </a>
  );
}
