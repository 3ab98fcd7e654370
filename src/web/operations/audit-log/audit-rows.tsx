import type { AuditRow } from '#contract/operations/audit-log.ts';
import { Badge } from '../../kit/state/badge.tsx';
import { changesOf } from './changes-of.ts';

/** Each as it is hashed: nothing is translated, so that it can be held against an anchor. */
export function AuditRows({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <ol className="border-y">
      {rows.map((row) => (
        <li
          key={row.seq}
          className="grid gap-2 border-b py-4 last:border-0 sm:grid-cols-[11rem_1fr] sm:gap-6"
        >
          <div className="text-sm text-ink-faint">
            <p className="figures">{row.seq}</p>
            <p className="figures">{`${row.at.slice(0, 10)} ${row.at.slice(11, 19)} UTC`}</p>
          </div>
          <div className="grid min-w-0 gap-1.5">
            <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <span className="font-medium wrap-anywhere">{row.action}</span>
              <span className="text-sm wrap-anywhere text-ink-soft">{row.subject}</span>
              {!row.holds && <Badge tone="caution">Does not hold</Badge>}
            </p>
            <p className="text-sm wrap-anywhere text-ink-soft">by {row.actor}</p>
            <dl className="mt-1 grid gap-1 text-sm">
              {changesOf(row.details).map(({ name, text }) => (
                <div key={name} className="flex flex-wrap gap-x-3">
                  <dt className="text-ink-faint">{name}</dt>
                  <dd className="figures min-w-0 wrap-anywhere">{text}</dd>
                </div>
              ))}
            </dl>
          </div>
        </li>
      ))}
    </ol>
  );
}
