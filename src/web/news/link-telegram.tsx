import { useEffect, useState } from 'react';
import type { NewsAddress } from '#contract/news.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { buttonClasses } from '../kit/control/button-look.ts';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useLinkTelegram, useNewsOutside } from './news-queries.ts';

/** While it is open the list is read again: the chat is linked in Telegram. */
const LOOK_MS = 2_000;

export function LinkTelegram({ known, onClose }: { known: readonly NewsAddress[]; onClose: () => void }) {
  const { mutate, data: link, error } = useLinkTelegram();
  const outside = useNewsOutside({ refetchMs: LOOK_MS });
  const [before] = useState(known);
  useEffect(() => mutate(undefined), [mutate]);
  const linked = outside.data?.addresses.find(
    (one) => one.channel === 'telegram' && !before.some(({ id }) => id === one.id),
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Link Telegram"
      description="News that you chose then arrives in a chat with our bot."
    >
      <div className="grid gap-5">
        {error && (
          <Notice tone="failure">{sentenceOf(error, 'No code could be made. Please try again.')}</Notice>
        )}
        {linked !== undefined && <Notice tone="success">Linked with {linked.name}.</Notice>}
        {linked === undefined && link === undefined && !error && <Skeleton className="h-24" />}
        {linked === undefined && link !== undefined && (
          <>
            <div>
              <a href={link.url} target="_blank" rel="noopener noreferrer" className={buttonClasses({})}>
                Open Telegram
              </a>
            </div>
            <p className="text-sm text-ink-soft">
              Press Start there. Or send the bot this message, before {showDateTime(link.expires_at)}:
            </p>
            <p aria-label="Message for the bot" className="font-mono text-sm wrap-anywhere select-all">
              /start {link.code}
            </p>
          </>
        )}
        <div className="flex justify-end">
          <Button variant="secondary" onClick={onClose}>
            {linked === undefined ? 'Back' : 'Done'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
