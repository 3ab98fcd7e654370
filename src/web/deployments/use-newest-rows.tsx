import { type ReactNode, useState } from 'react';
import { Button } from '../kit/control/button.tsx';
import { usePrinting } from '../kit/page/use-printing.ts';
import { TRADES_MAX } from './deployment-queries.ts';

/** Ten orders are four screens of a phone. */
const FIRST_ROWS = 10;
const ROWS_STEP = 25;

/** The newest rows of a long list; older ones appear on request, and all of them in print. `more` goes below the table. */
export function useNewestRows<Row>(
  rows: readonly Row[],
  what: 'orders' | 'closed trades',
): { readonly shown: readonly Row[]; readonly more: ReactNode } {
  const [asked, setAsked] = useState(FIRST_ROWS);
  const count = usePrinting() ? rows.length : Math.min(asked, rows.length);
  const more = (
    <>
      {rows.length > count && (
        <div className="mt-4 text-center">
          <Button variant="quiet" onClick={() => setAsked(count + ROWS_STEP)}>
            Show {Math.min(ROWS_STEP, rows.length - count)} more of {rows.length}
          </Button>
        </div>
      )}
      {count === TRADES_MAX && (
        <p className="mt-4 text-sm text-ink-soft">
          These are the newest {TRADES_MAX} {what}. The CSV has all of them.
        </p>
      )}
    </>
  );
  return { shown: rows.slice(0, count), more };
}
