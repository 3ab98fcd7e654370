import { useState } from 'react';
import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts';
import { NEWS_LABELS } from '#rules/notifications/choices.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { Badge } from '../kit/state/badge.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import {
  useChangeWebhook,
  useDeliveries,
  useRemoveWebhook,
  useRotateSecret,
  useTestWebhook,
} from './webhook-queries.ts';

export function WebhookRow({ webhook, onSecret }: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const [open, setOpen] = useState<'remove' | 'rotate' | null>(null);
  const change = useChangeWebhook(webhook.id);
  const test = useTestWebhook(webhook.id);
  const failed = change.error ?? test.error;
  return (
    <li className="grid gap-3 border-b py-4 last:border-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere">{webhook.url}</span>
        {!webhook.is_on && <Badge tone="caution">{OFF_WORDS[webhook.off_because ?? 'owner']}</Badge>}
      </p>
      <p className="text-sm text-ink-soft">
        {webhook.news.map((kind) => NEWS_LABELS[kind].label).join(', ')}
        {webhook.failing_since !== null && ` · nothing taken since ${showDateTime(webhook.failing_since)}`}
        {webhook.former_secret_until !== null &&
          ` · the former secret signs until ${showDateTime(webhook.former_secret_until)}`}
      </p>
      {failed && <Notice tone="failure">{sentenceOf(failed, 'That did not work. Please try again.')}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          size="small"
          busy={test.isPending}
          disabled={!webhook.is_on}
          onClick={() => test.mutate(undefined)}
        >
          Send a test
        </Button>
        <Button
          variant="secondary"
          size="small"
          busy={change.isPending}
          onClick={() => change.mutate({ is_on: !webhook.is_on })}
        >
          {webhook.is_on ? 'Turn off' : 'Turn on'}
        </Button>
        <Button variant="secondary" size="small" onClick={() => setOpen('rotate')}>
          Replace the secret
        </Button>
        <Button variant="secondary" size="small" onClick={() => setOpen('remove')}>
          Remove
        </Button>
      </div>
      <details className="text-sm">
        <summary className="cursor-pointer text-ink-soft">Deliveries</summary>
        <Deliveries id={webhook.id} />
      </details>
      {open === 'remove' && <RemoveDialog webhook={webhook} onClose={() => setOpen(null)} />}
      {open === 'rotate' && (
        <RotateDialog webhook={webhook} onClose={() => setOpen(null)} onSecret={onSecret} />
      )}
    </li>
  );
}

const OFF_WORDS = {
  owner: 'Off',
  failing: 'Off: nothing was taken for days',
  gone: 'Off: the receiver takes nothing any more',
} as const;

function Deliveries({ id }: { id: string }) {
  const deliveries = useDeliveries(id);
  if (deliveries.isError)
    return (
      <ErrorState title="The deliveries could not be loaded" onRetry={() => void deliveries.refetch()} />
    );
  if (deliveries.data?.length === 0) return <p className="mt-2 text-ink-faint">Nothing was posted yet.</p>;
  return (
    <ul className="mt-2">
      {deliveries.data?.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}

function DeliveryRow({ delivery }: { delivery: WebhookDelivery }) {
  const { type, status, answered, attempts, problem, created_at: at } = delivery;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b py-2 last:border-0">
      <span className="min-w-40 flex-1 wrap-anywhere">
        <span className="font-mono">{type}</span>
        {problem !== null && <span className="text-ink-faint"> {problem}</span>}
      </span>
      <span className="figures text-ink-faint">
        {STATUS_WORDS[status]}
        {answered !== null && `, status ${answered}`}
        {attempts > 1 && `, ${attempts} attempts`}, {showDateTime(at)}
      </span>
    </li>
  );
}

const STATUS_WORDS = { waiting: 'Waiting', taken: 'Taken', failed: 'Failed' } as const;

function RemoveDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useRemoveWebhook(webhook.id);
  return (
    <ConfirmDialog
      title="Remove this webhook?"
      description={`Nothing more is posted to ${webhook.url}, and its log goes too.`}
      keep="Keep it"
      action="Remove"
      busy={remove.isPending}
      busyLabel="Removing..."
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {remove.error && (
        <Notice tone="failure">
          {sentenceOf(remove.error, 'The webhook was not removed. Please try again.')}
        </Notice>
      )}
    </ConfirmDialog>
  );
}

function RotateDialog({
  webhook,
  onClose,
  onSecret,
}: {
  webhook: Webhook;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) {
  const rotate = useRotateSecret(webhook.id);
  const confirm = () =>
    rotate.mutate(undefined, {
      onSuccess: ({ secret }) => {
        onClose();
        onSecret(secret);
      },
    });
  return (
    <ConfirmDialog
      title="Replace the secret?"
      description="For 24 hours both secrets sign each delivery; then the new one alone."
      keep="Keep it"
      action="Replace"
      variant="primary"
      busy={rotate.isPending}
      busyLabel="Replacing..."
      onConfirm={confirm}
      onClose={onClose}
    >
      {rotate.error && (
        <Notice tone="failure">
          {sentenceOf(rotate.error, 'The secret was not replaced. Please try again.')}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
