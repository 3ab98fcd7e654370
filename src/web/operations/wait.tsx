import { showDateTime } from '../kit/figure/show-figure.ts';
import { showWait } from './show-wait.ts';

/** How long something has waited by the time the page was read; the moment itself on pointing at it. */
export function Wait({ since, until }: { since: string; until: string }) {
  return (
    <time dateTime={since} title={showDateTime(since)} className="figures">
      {showWait(since, until)}
    </time>
  );
}
