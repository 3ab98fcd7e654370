import { useState } from 'react';
import type { DifferingBooks as Differing } from '#contract/operations/incident-subjects.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { showMoney, showNumber, showQuantity } from '../../kit/figure/show-figure.ts';
import { HaltDialog } from '../halts/halt-dialog.tsx';
import { Facts } from '../facts.tsx';
import { WaitingList } from '../waiting-list.tsx';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';
import { usePropose } from '../proposals/proposal-queries.ts';
import { SubjectRow } from './subject-row.tsx';

/** Deployments whose stored figures are not what their executions make of them, until two people have them rebuilt. */
export function DifferingBooks({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="differing-books"
      title="Figures that differ"
      note="A stored figure is not what the executions make of the investment. Halt the deployment first."
      none="All books agree with their executions."
      list={desk.differing_books}
    >
      {desk.differing_books.results.map((books) => (
        <BooksRow key={books.subject} books={books} desk={desk} />
      ))}
    </WaitingList>
  );
}

function BooksRow({ books, desk }: { books: Differing; desk: OperationsDesk }) {
  const { account, broker_name: broker, client, strategy_name: strategy, proposal } = books;
  const about = `${strategy} in ${account}`;
  const [open, setOpen] = useState<string | null>(null);
  const onClose = () => setOpen(null);
  const isHalted = desk.kill_switches.some(({ target }) => target === books.subject);
  return (
    <SubjectRow
      about={about}
      below={`${broker}, ${client}`}
      proposal={proposal}
      open={open}
      onOpen={setOpen}
      approval={{ does: 'to rebuild its figures', title: `Rebuild the books of ${about}?`, effect: EFFECT }}
      actions={[
        isHalted
          ? null
          : {
              label: 'Halt',
              dialog: <HaltDialog desk={desk} deployment={books.subject} onClose={onClose} />,
            },
        proposal === null
          ? {
              label: 'Rebuild',
              dialog: <RebuildDialog books={books} about={about} onClose={onClose} />,
            }
          : null,
      ]}
    >
      <Facts
        facts={books.differences.map((difference) => [
          nameOf(difference),
          `${show(difference, difference.stored)}, by its executions ${show(difference, difference.replayed)}`,
        ])}
      />
    </SubjectRow>
  );
}

const EFFECT =
  'Its cash, result and positions become what its executions make of them, and it is valued again. Executions, ledger and past days stay as they are.';

type Difference = Differing['differences'][number];

const NAMES: Readonly<Record<Difference['figure'], string>> = {
  cash: 'Cash',
  realized: 'Realised result',
  quantity: 'Units',
  cost: 'Cost',
};

function nameOf({ figure, symbol }: Difference): string {
  return symbol === null ? NAMES[figure] : `${NAMES[figure]} of ${symbol}`;
}

function show({ figure }: Difference, value: number | null): string {
  if (value === null) return 'none';
  if (figure === 'quantity') return showQuantity(value);
  return figure === 'cost' ? showNumber(value) : showMoney(value);
}

function RebuildDialog({
  books: { account, subject, seen },
  about,
  onClose,
}: {
  books: Differing;
  about: string;
  onClose: () => void;
}) {
  const propose = usePropose();
  return (
    <ProposeDialog
      title={`Rebuild: ${about}`}
      description={`${EFFECT} Nothing changes until a second person approves.`}
      action="Propose"
      placeholder="engineering has mended what wrote the wrong figure"
      mutation={propose}
      onConfirm={(reason) =>
        propose.mutate({ action: 'rebuild_books', account, subject, seen, reason }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}
