import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '#contract/api-keys.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { showDate, showDateTime, showMoney } from '../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Badge } from '../kit/state/badge.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useApiKeys, useRevokeKey } from './api-key-queries.ts';
import { CreateKey } from './create-key.tsx';
import { KeyActs } from './key-acts.tsx';

/** Programs and agents that act for the person, what each may do, and what they ask for. */
export function ApiKeys() {
  const keys = useApiKeys();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <section className="grid gap-4" aria-labelledby="api-keys">
      <SectionTitle
        id="api-keys"
        note="For programs and AI agents that act for you. A key never withdraws money, and real money waits for your tap."
        aside={<CreateKey onCreated={setSecret} />}
      >
        API keys
      </SectionTitle>
      {secret !== null && <NewSecret secret={secret} onKept={() => setSecret(null)} />}
      <KeyActs />
      {keys.isPending && <Skeleton className="h-24" />}
      {keys.isError && (
        <ErrorState title="Your API keys could not be loaded" onRetry={() => void keys.refetch()} />
      )}
      <p className="text-sm text-ink-soft">
        Programs use the{' '}
        <a className="underline" href="/api/docs/">
          API
        </a>
        ; for TypeScript there is{' '}
        <a className="underline" href="/api/client.ts">
          a client
        </a>{' '}
        of this installation.
      </p>
      {keys.data?.length === 0 && <p className="text-sm text-ink-soft">You have no API keys.</p>}
      {keys.data !== undefined && keys.data.length > 0 && (
        <ul>
          {keys.data.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
    </section>
  );
}

function NewSecret({ secret, onKept }: { secret: string; onKept: () => void }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="grid gap-4 rounded-surface border p-6">
      <Notice tone="evidence" title="Copy the key now">
        It is not shown again. Whoever has it can do what you allowed it.
      </Notice>
      <p aria-label="The new API key" className="font-mono text-sm wrap-anywhere select-all">
        {secret}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          onClick={() => void navigator.clipboard.writeText(secret).then(() => setCopied(true))}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onKept}>I have kept it</Button>
      </div>
    </div>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const [asks, setAsks] = useState(false);
  const { name, prefix, scopes, budget, held, acts_per_day: perDay, acts_today: today } = apiKey;
  const state = stateOf(apiKey);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 border-b py-4 last:border-0">
      <KeyRound className="mt-1 size-5 shrink-0 text-ink-faint" aria-hidden="true" />
      <div className="grid min-w-40 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="font-mono text-sm text-ink-faint">{prefix}…</span>
          {state !== null && <Badge>{state}</Badge>}
        </p>
        <p className="text-sm text-ink-soft">
          {scopes.join(', ')}
          {budget !== null && (
            <span className="figures">
              {' · '}
              {showMoney(held)} of {showMoney(budget)} held · {today} of {perDay} acts today
            </span>
          )}
        </p>
        <p className="text-sm text-ink-faint">
          Created {showDate(apiKey.created_at)}.{' '}
          {apiKey.last_used_at === null ? 'Never used.' : `Last used ${showDateTime(apiKey.last_used_at)}.`}{' '}
          {state === null && `Expires ${showDate(apiKey.expires_at)}.`}
        </p>
      </div>
      {state === null && (
        <Button variant="secondary" size="small" aria-label={`Revoke ${name}`} onClick={() => setAsks(true)}>
          Revoke
        </Button>
      )}
      {asks && <RevokeDialog apiKey={apiKey} onClose={() => setAsks(false)} />}
    </li>
  );
}

/** Null while it works. */
function stateOf({ revoked_at: revoked, expires_at: expires }: ApiKey): string | null {
  if (revoked !== null) return 'Revoked';
  return Date.parse(expires) <= Date.now() ? 'Expired' : null;
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeKey(apiKey.id);
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      description="Its next call is refused, and what waits for you is withdrawn. Its deployments go on: stop them yourself if you want to."
      keep="Keep it"
      action="Revoke"
      busy={revoke.isPending}
      busyLabel="Revoking..."
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {revoke.error && (
        <Notice tone="failure">
          {sentenceOf(revoke.error, 'The key was not revoked. Please try again.')}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
