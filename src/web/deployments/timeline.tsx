import { useState } from 'react';
import type { TimelineEntry } from '#contract/decisions.ts';
import type { Trade } from '#contract/trade.ts';
import { Button } from '../kit/control/button.tsx';
import { showDate, showPrice, showQuantity, showTimeOfDay } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useTimeline } from './decision-queries.ts';
import { ReceiptSheet } from './receipt-sheet.tsx';
import { symbolsByReason } from './symbols-by-reason.ts';

/** What happened, day by day: each decision with its orders and fills, what was not ordered and why, and what else there was. */
export function Timeline({ deploymentId }: { deploymentId: string }) {
  const timeline = useTimeline(deploymentId);
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <section aria-labelledby="timeline" className="grid gap-4">
      <SectionTitle id="timeline" note="Each decision with its orders, fills and reasons, newest first.">
        Timeline
      </SectionTitle>
      {timeline.data ? (
        <Days entries={timeline.data.pages.flatMap(({ entries }) => entries)} onOpen={setOpened} />
      ) : timeline.isError ? (
        <ErrorState title="The timeline could not be loaded" onRetry={() => void timeline.refetch()} />
      ) : (
        <Skeleton className="h-64" />
      )}
      {timeline.hasNextPage && (
        <div className="text-center">
          <Button
            variant="quiet"
            busy={timeline.isFetchingNextPage}
            onClick={() => void timeline.fetchNextPage()}
          >
            Show older
          </Button>
        </div>
      )}
      <ReceiptSheet deploymentId={deploymentId} decision={opened} onClose={() => setOpened(null)} />
    </section>
  );
}

type Open = (decision: string) => void;

function Days({ entries, onOpen }: { entries: readonly TimelineEntry[]; onOpen: Open }) {
  if (entries.length === 0) {
    return (
      <p className="border-y py-5 text-sm text-ink-soft">
        Nothing has happened yet. The first decision follows at a market close.
      </p>
    );
  }
  const days = Map.groupBy(entries, ({ at }) => at.slice(0, 10));
  return (
    <ol className="border-y">
      {[...days].map(([day, ofDay]) => (
        <li key={day} className="grid gap-x-8 border-b py-4 last:border-0 md:grid-cols-[9rem_minmax(0,1fr)]">
          <h3 className="text-sm text-ink-faint">
            <time dateTime={day}>{showDate(day)}</time>
          </h3>
          <ol className="grid gap-5">
            {ofDay.map((entry) => (
              <Entry key={entry.id} entry={entry} onOpen={onOpen} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function Entry({ entry, onOpen }: { entry: TimelineEntry; onOpen: Open }) {
  const { at, title, text, decision, orders, refused } = entry;
  return (
    <li className="grid gap-2 text-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-medium">
          {title}
          <time dateTime={at} className="figures ml-3 font-normal text-ink-faint">
            {showTimeOfDay(at)}
          </time>
        </p>
        {decision !== null && (
          <button
            type="button"
            onClick={() => onOpen(decision)}
            aria-label={`Receipt of ${title.toLowerCase()}, ${showDate(at)}`}
            className="-my-2 min-h-8 rounded-control py-2 text-accent hover:underline"
          >
            Receipt
          </button>
        )}
      </div>
      {text !== '' && <p className="max-w-prose text-ink-soft">{text}</p>}
      {orders.length > 0 && (
        <ul className="grid gap-2">
          {orders.map((order) => (
            <Order key={order.id} order={order} />
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <dl className="grid gap-2">
          {symbolsByReason(refused).map(({ reason, symbols }) => (
            <div key={reason} className="grid gap-x-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
              <dt className="wrap-anywhere">{symbols.join(', ')}</dt>
              <dd className="max-w-prose text-ink-soft">{reason}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

const DONE: { readonly [Type in Trade['trade_type']]: string } = { buy: 'Bought', sell: 'Sold' };

/** The order and what became of it in one line, its reason below. */
function Order({ order }: { order: Trade }) {
  return (
    <li className="grid gap-x-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <span className="figures wrap-anywhere">{outcomeOf(order)}</span>
      <span className="max-w-prose whitespace-pre-line text-ink-soft">
        {order.price !== null && <span className="figures text-ink">at {showPrice(order.price)}. </span>}
        {order.trade_notes}
      </span>
    </li>
  );
}

function outcomeOf({ trade_type: side, ticker, quantity, requested_quantity: asked, status }: Trade): string {
  const units = showQuantity(asked);
  if (status === 'executed') return `${DONE[side]} ${units} ${ticker}`;
  const ordered = `${side === 'buy' ? 'Buy' : 'Sell'} ${units} ${ticker}`;
  if (status === 'partial') return `${ordered}, ${showQuantity(quantity)} filled`;
  return `${ordered}, ${WAITING[status]}`;
}

const WAITING = {
  pending: 'open',
  cancelled: 'cancelled',
  failed: 'failed',
  unknown: 'being checked',
} as const;
