import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';

/** What happened to the sign-in lately, the newest first. */
export function SecurityActivity() {
  const events = useQuery({
    queryKey: ['security-events'],
    queryFn: ({ signal }) => call('listSecurityEvents', { signal }),
  });
  return (
    <section className="grid gap-4" aria-labelledby="security-activity">
      <SectionTitle
        id="security-activity"
        note="If something here was not you, change your password and sign out all other sessions."
      >
        Recent security activity
      </SectionTitle>
      {events.isPending && <Skeleton className="h-40" />}
      {events.isError && (
        <ErrorState
          title="Your security activity could not be loaded"
          onRetry={() => void events.refetch()}
        />
      )}
      {events.data?.length === 0 && <p className="text-sm text-ink-soft">Nothing has happened yet.</p>}
      {events.data && events.data.length > 0 && (
        <ul>
          {events.data.map(({ kind, text, device, address, at }, index) => (
            <li
              // Two may be of one moment.
              key={`${at} ${kind} ${index}`}
              className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-b py-3 last:border-0"
            >
              <span className="text-sm font-medium">{text}</span>
              <span className="text-sm text-ink-soft">
                {showDateTime(at)}, {device}
                {address !== '' && <span className="wrap-anywhere"> from {address}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
