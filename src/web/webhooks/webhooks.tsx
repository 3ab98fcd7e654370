import { type FormEvent, useState } from 'react';
import { NEWS_LABELS } from '#rules/notifications/choices.ts';
import { WEBHOOK_NEWS, type WebhookNews } from '#rules/webhooks/webhook-terms.ts';
import { CallError, sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Checkbox } from '../kit/control/checkbox.tsx';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useCreateWebhook, useWebhooks } from './webhook-queries.ts';
import { WebhookRow } from './webhook-row.tsx';

/** Where notices are posted for programs. */
export function Webhooks() {
  const webhooks = useWebhooks();
  const [opens, setOpens] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <section className="grid gap-4" aria-labelledby="webhooks">
      <SectionTitle
        id="webhooks"
        note="Posted, signed, to an address that you name."
        aside={
          <Button variant="secondary" size="small" onClick={() => setOpens(true)}>
            Add a webhook
          </Button>
        }
      >
        To a program
      </SectionTitle>
      {secret !== null && <NewSecret secret={secret} onKept={() => setSecret(null)} />}
      {webhooks.isPending && <Skeleton className="h-16" />}
      {webhooks.isError && (
        <ErrorState title="Your webhooks could not be loaded" onRetry={() => void webhooks.refetch()} />
      )}
      {webhooks.data?.length === 0 && <p className="text-sm text-ink-soft">You have no webhooks.</p>}
      {webhooks.data !== undefined && webhooks.data.length > 0 && (
        <ul>
          {webhooks.data.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onSecret={setSecret} />
          ))}
        </ul>
      )}
      {opens && (
        <AddDialog
          onClose={() => setOpens(false)}
          onAdded={(made) => {
            setOpens(false);
            setSecret(made);
          }}
        />
      )}
    </section>
  );
}

function NewSecret({ secret, onKept }: { secret: string; onKept: () => void }) {
  return (
    <div className="grid gap-4 rounded-surface border p-6">
      <Notice tone="evidence" title="Copy the secret now">
        It is not shown again. Your program checks with it that a delivery is ours.
      </Notice>
      <p aria-label="The secret of the webhook" className="font-mono text-sm wrap-anywhere select-all">
        {secret}
      </p>
      <div>
        <Button onClick={onKept}>I have kept it</Button>
      </div>
    </div>
  );
}

function AddDialog({ onAdded, onClose }: { onAdded: (secret: string) => void; onClose: () => void }) {
  const create = useCreateWebhook();
  const [url, setUrl] = useState('');
  const [news, setNews] = useState<readonly WebhookNews[]>(WEBHOOK_NEWS);
  const problem = create.error && sentenceOf(create.error, 'The webhook was not added. Please try again.');
  const isOfUrl = create.error instanceof CallError && create.error.field === 'url';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ url, news: [...news] }, { onSuccess: ({ secret }) => onAdded(secret) });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add a webhook"
      description="Notices are posted there as JSON, as they happen."
    >
      <form className="grid gap-5" noValidate onSubmit={submit}>
        {problem && !isOfUrl && <Notice tone="failure">{problem}</Notice>}
        <Field
          label="Address"
          hint="It begins with https:// and is reachable from the Internet."
          error={isOfUrl ? problem : null}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              type="url"
              placeholder="https://hooks.example.com/bellwether"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <fieldset className="grid gap-3">
          <legend className="mb-1.5 text-sm font-medium">Which news</legend>
          {WEBHOOK_NEWS.map((kind) => (
            <Checkbox
              key={kind}
              label={NEWS_LABELS[kind].label}
              checked={news.includes(kind)}
              onChange={() =>
                setNews(news.includes(kind) ? news.filter((one) => one !== kind) : [...news, kind])
              }
            />
          ))}
        </fieldset>
        <div className="mt-3 flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            Back
          </Button>
          <Button
            type="submit"
            busy={create.isPending}
            busyLabel="Adding..."
            disabled={url.trim() === '' || news.length === 0}
          >
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
