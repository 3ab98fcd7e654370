import { Laptop, Smartphone } from 'lucide-react';
import type { OpenSession } from '#contract/identity.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Badge } from '../kit/state/badge.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useEndSessions, useSessions } from './session-queries.ts';

/** Where the person is signed in, with a way to end each session but this one. */
export function OpenSessions() {
  const sessions = useSessions();
  const end = useEndSessions();
  const others = sessions.data?.filter((session) => !session.is_current) ?? [];
  return (
    <section className="grid gap-4" aria-labelledby="open-sessions">
      <SectionTitle
        id="open-sessions"
        note="Each browser says of itself what it is. If you do not know one of them, sign it out and change your password."
        aside={
          others.length > 1 && (
            <Button
              variant="secondary"
              size="small"
              busy={end.isPending && end.variables === 'others'}
              busyLabel="Please Wait..."
              onClick={() => end.mutate('others')}
            >
              Sign out all others
            </Button>
          )
        }
      >
        Where you are signed in
      </SectionTitle>
      {end.isError && (
        <Notice tone="failure">
          {sentenceOf(end.error, 'The session was not signed out. Please try again.')}
        </Notice>
      )}
      {sessions.isPending && <Skeleton className="h-40" />}
      {sessions.isError && (
        <ErrorState title="Your sessions could not be loaded" onRetry={() => void sessions.refetch()} />
      )}
      {sessions.data && (
        <ul>
          {sessions.data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              busy={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function SessionRow({ session, busy, onEnd }: { session: OpenSession; busy: boolean; onEnd: () => void }) {
  const {
    device,
    address,
    place,
    created_at: since,
    last_used_at: lastUsed,
    is_current: isCurrent,
  } = session;
  const Icon = /iPhone|iPad|Android/.test(device) ? Smartphone : Laptop;
  return (
    <li className="flex items-center gap-4 border-b py-4 last:border-0">
      <Icon className="size-5 shrink-0 text-ink-faint" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{device}</p>
        <p className="text-sm text-ink-soft">
          {isCurrent ? `Signed in ${showDateTime(since)}` : `Last used ${showDateTime(lastUsed)}`}
          {address !== '' && !isCurrent && (
            <span className="wrap-anywhere">
              {' '}
              from {address}, {place}
            </span>
          )}
          {address !== '' && isCurrent && <span className="wrap-anywhere"> from {address}</span>}
        </p>
      </div>
      {isCurrent ? (
        <Badge tone="accent">This device</Badge>
      ) : (
        <Button
          variant="secondary"
          size="small"
          busy={busy}
          aria-label={`Sign out ${device}, last used ${showDateTime(lastUsed)}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
