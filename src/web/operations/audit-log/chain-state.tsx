import type { AuditChain } from '#contract/operations/audit-log.ts';
import { showDateTime } from '../../kit/figure/show-figure.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { Notice } from '../../kit/state/notice.tsx';

/** What vouches for the log, and for which of its rows nothing does yet. */
export function ChainState({ chain }: { chain: AuditChain }) {
  const { rows, head, anchor, unanchored } = chain;
  return (
    <section aria-labelledby="chain" className="grid gap-4">
      <SectionTitle id="chain" note="The command verify-audit checks every row and every signature.">
        Chain
      </SectionTitle>
      <dl className="grid gap-x-8 gap-y-3 text-sm sm:grid-cols-3">
        <Fact name="Rows">{String(rows)}</Fact>
        <Fact name="Newest anchor">
          {anchor === null
            ? 'None yet'
            : `${anchor.number}, of row ${anchor.row}, ${showDateTime(anchor.at)}`}
        </Fact>
        <Fact name="Rows without an anchor">{String(unanchored)}</Fact>
        {head !== null && (
          <div className="sm:col-span-3">
            <dt className="text-ink-faint">Hash of the newest row</dt>
            <dd className="figures mt-1 wrap-anywhere">{head}</dd>
          </div>
        )}
      </dl>
      {anchor !== null && !anchor.is_sent && (
        <Notice tone="caution" title="The newest anchor was not sent away">
          Its copies are on the machine of the product alone. Set ANCHOR_EMAIL or ANCHOR_WEBHOOK, or look at
          the incidents of the desk.
        </Notice>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt className="text-ink-faint">{name}</dt>
      <dd className="figures mt-1">{children}</dd>
    </div>
  );
}
