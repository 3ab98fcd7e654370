import { useState } from 'react';
import type { UnreadRow } from '#contract/operations/incident-subjects.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { showDateTime } from '../../kit/figure/show-figure.ts';
import { Facts } from '../facts.tsx';
import { WaitingList } from '../waiting-list.tsx';
import { usePropose } from '../proposals/proposal-queries.ts';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';
import { readableRow } from './readable-row.ts';
import { SubjectRow } from './subject-row.tsx';

/** Rows of the brokers' lists that cannot be read, as they came. */
export function UnreadRows({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="unread-rows"
      title="Unreadable rows"
      note="Compare each with the account at its broker. A row that two people set aside counts again as soon as it changes."
      none="All rows of the brokers can be read."
      list={desk.unread_rows}
    >
      {desk.unread_rows.results.map((row) => (
        <RowOfBroker key={`${row.account} ${row.subject}`} row={row} />
      ))}
    </WaitingList>
  );
}

function RowOfBroker({ row }: { row: UnreadRow }) {
  const { account, broker_name: broker, clients, list, part, raw, effect, symbols, since, refusal } = row;
  const [open, setOpen] = useState<string | null>(null);
  const canPropose = row.proposal === null && refusal === null && NEEDS_DECISION[effect];
  return (
    <SubjectRow
      about={`${LISTS[list]} in ${account}`}
      below={`${broker}, ${clients.join(', ')}`}
      proposal={row.proposal}
      open={open}
      onOpen={setOpen}
      approval={{
        does: 'to ignore this row',
        title: 'Ignore this row as not ours?',
        effect: 'The instruments that wait only for it trade again. If the row changes, it counts again.',
      }}
      actions={[
        canPropose
          ? { label: 'Not ours', dialog: <IgnoreDialog row={row} onClose={() => setOpen(null)} /> }
          : null,
      ]}
    >
      <p className="max-w-[68ch] text-sm text-ink-soft">
        {effectText(effect, symbols)}
        {NEEDS_DECISION[effect] && refusal !== null && ` ${refusal}`}
      </p>
      <Facts
        facts={[
          ['Cannot be read', PARTS[part]],
          ['Listed since', showDateTime(since)],
        ]}
      />
      <details className="text-sm" open={NEEDS_DECISION[effect]}>
        <summary className="cursor-pointer text-accent hover:underline">
          The row as the broker sent it
        </summary>
        <pre className="mt-2 max-h-64 overflow-auto rounded border bg-raised p-3 text-xs whitespace-pre-wrap wrap-anywhere">
          {readableRow(raw)}
        </pre>
      </details>
    </SubjectRow>
  );
}

function IgnoreDialog({ row, onClose }: { row: UnreadRow; onClose: () => void }) {
  const propose = usePropose();
  const { account, subject, seen } = row;
  return (
    <ProposeDialog
      title="Ignore this row as not ours?"
      description="Nothing changes until a second person approves. It holds for this row as it is now: if it changes, it counts again."
      action="Propose"
      placeholder="the client’s own option at the broker"
      mutation={propose}
      onConfirm={(reason) =>
        propose.mutate({ action: 'ignore_row', account, subject, seen, reason }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}

function effectText(effect: UnreadRow['effect'], symbols: readonly string[]): string {
  switch (effect) {
    case 'unsure':
      return `It may be ours, so ${symbols.join(', ')} ${symbols.length === 1 ? 'waits' : 'wait'} in this account.`;
    case 'foreign':
      return 'It is of an instrument that no deployment can hold. Nothing waits for it, and nobody must decide.';
    case 'ignored':
      return 'Two people have set it aside as not ours.';
    default:
      return 'It belongs to none of our orders and positions, so trading continues.';
  }
}

const NEEDS_DECISION: { readonly [Effect in UnreadRow['effect']]: boolean } = {
  unsure: true,
  kept: true,
  foreign: false,
  ignored: false,
};

const LISTS: { readonly [List in UnreadRow['list']]: string } = {
  orders: 'Order',
  executions: 'Fill',
  positions: 'Position',
};

const PARTS: { readonly [Part in UnreadRow['part']]: string } = {
  form: 'Its form',
  account: 'Account',
  id: 'ID',
  instrument: 'Instrument',
  side: 'Side',
  status: 'Status',
  quantity: 'Quantity',
  price: 'Price',
  commission: 'Commission',
  time: 'Time',
};
