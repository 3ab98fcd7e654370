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
        <>
          <Notice tone="failure" title="Differs">
            The result differs. Please contact support before you pay.
          </Notice>
          <DataTable
            caption="Differences"
            columns={COLUMNS}
            rows={differences}
            rowKey={({ figure }) => figure}
          />
        </>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Difference>[] = [
  { key: 'figure', header: 'Figure', cell: ({ figure }) => figure },
  { key: 'billed', header: 'Billed', align: 'right', cell: ({ billed }) => showMoney(fromMicro(billed)) },
  {
    key: 'computed',
    header: 'Computed',
    align: 'right',
    cell: ({ computed }) => showMoney(fromMicro(computed)),
  },
];
