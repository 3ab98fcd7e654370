import type { ClientEvent } from '#contract/operations/clients.ts';
import { showDateTime } from '../../kit/figure/show-figure.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';

/** What happened to a client, by our own clock: sign-ins, notices, signatures, connections, halts and looks of support. */
export function ClientTimeline({ timeline }: { timeline: readonly ClientEvent[] }) {
  return (
    <section className="grid gap-4" aria-labelledby="client-timeline">
      <SectionTitle id="client-timeline" note="The newest first.">
        What happened
      </SectionTitle>
      {timeline.length === 0 ? (
        <p className="text-sm text-ink-soft">Nothing yet.</p>
      ) : (
        <ol className="border-y">
          {timeline.map((event) => (
            <EventRow key={`${event.at} ${event.kind} ${event.title}`} event={event} />
          ))}
        </ol>
      )}
    </section>
  );
}

function EventRow({ event }: { event: ClientEvent }) {
  const { title, message, at, market_at: marketAt, device, address } = event;
  return (
    <li className="grid gap-x-6 gap-y-1 border-b py-3 last:border-0 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <time dateTime={at} className="figures text-sm text-ink-faint">
        {showDateTime(at)}
      </time>
      <div className="min-w-0">
        <p className="wrap-anywhere">{title}</p>
        {message !== null && <p className="text-sm wrap-anywhere text-ink-soft">{message}</p>}
        {device !== null && (
          <p className="text-sm wrap-anywhere text-ink-soft">
            {device}
            {address !== null && address !== '' && ` from ${address}`}
          </p>
        )}
        {marketAt !== null && (
          <p className="figures text-sm text-ink-faint">Market clock {showDateTime(marketAt)}</p>
        )}
      </div>
    </li>
  );
}
