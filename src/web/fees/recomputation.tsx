import type { ReactNode } from 'react';
import type { FeeBill } from '#contract/fees.ts';
import { fromMicro } from '#units/money.ts';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { showMoney } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { type Difference, recomputeFeeBill } from './recompute-fee-bill.ts';

/** The bill computed again, by this browser, from the figures that were frozen at the cut-off. */
export function Recomputation({ bill }: { bill: FeeBill }) {
  const differences = recomputeFeeBill(bill);
  return (
    <section aria-labelledby="recomputation" className="grid gap-4">
      <SectionTitle
        id="recomputation"
        note="Your browser recomputed this bill from the figures above, by the rule in the agreement."
      >
        Recomputation
      </SectionTitle>
      {differences.length === 0 ? (
        <Notice tone="success" title="Agrees">
          The same figures give the same fee, {showMoney(bill.fee)}.
        </Notice>
      ) : (
        <Differences differences={differences}>
          The result differs. Please contact support before you pay.
        </Differences>
      )}
    </section>
  );
}

/** Figures that this browser computes otherwise, and what to do about them. */
export function Differences({
  differences,
  children,
}: {
  differences: readonly Difference[];
  children: ReactNode;
}) {
  return (
    <>
      <Notice tone="failure" title="Differs">
        {children}
      </Notice>
      <DataTable caption="Differences" columns={COLUMNS} rows={differences} rowKey={({ figure }) => figure} />
    </>
  );
}

const COLUMNS: readonly Column<Difference>[] = [
  { key: 'figure', header: 'Figure', cell: ({ figure }) => figure },
  { key: 'billed', header: 'Shown', align: 'right', cell: ({ billed }) => showMoney(fromMicro(billed)) },
  {
    key: 'computed',
    header: 'Computed',
    align: 'right',
    cell: ({ computed }) => showMoney(fromMicro(computed)),
  },
];
