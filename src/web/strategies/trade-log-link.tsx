import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { addressOf } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { openFile } from '../call/open-file.ts';
import { useSession } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { buttonClasses } from '../kit/control/button-look.ts';
import { showToast } from '../kit/overlay/toast.ts';

const LABEL = 'Download Complete Trade Log';

/** The log of a draft, or a public one by its address; whoever is signed in uses a link that works once, which says who asks. */
export function TradeLogLink({ strategy: { id, status } }: { strategy: Pick<Strategy, 'id' | 'status'> }) {
  const { user } = useSession();
  const file = ['downloadStrategyTrades', { params: { id } }] as const;
  const icon = <Download className="size-4" aria-hidden="true" />;
  const download = useMutation({
    mutationFn: () => openFile(...file),
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
      href={addressOf(...file)}
      target="_blank"
      rel="noreferrer"
      className={buttonClasses({ variant: 'secondary', size: 'small' })}
      onClick={(event) => {
        if (user === null) return;
        event.preventDefault();
        download.mutate();
      }}
    >
      {icon}
      {LABEL}
    </a>
  );
}
