import { useState } from 'react';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import type { UnpaidClient } from '#contract/operations/payments.ts';
import { showCount, showCounted, showDate, showMoney } from '../../kit/figure/show-figure.ts';
import { Facts } from '../facts.tsx';
import { SubjectRow } from '../incidents/subject-row.tsx';
import type { Approval } from '../proposals/proposal-actions.tsx';
import { usePropose } from '../proposals/proposal-queries.ts';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';
import { WaitingList } from '../waiting-list.tsx';

/** Who has not paid what fell due, and whether their account may be closed. */
export function UnpaidClients({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="unpaid"
      title="Unpaid fees"
      note="Reminders and the end of new exposure come by themselves. Closing an account takes two people: every deployment is paused, and nothing is sold."
      none="No fee bill is overdue."
      list={desk.unpaid_clients}
    >
      {desk.unpaid_clients.results.map((client) => (
        <ClientRow key={client.id} client={client} desk={desk} />
      ))}
    </WaitingList>
  );
}

function ClientRow({ client, desk }: { client: UnpaidClient; desk: OperationsDesk }) {
  const [open, setOpen] = useState<string | null>(null);
  const proposal =
    desk.proposals.find((one) => one.action === 'close_unpaid' && one.subject === client.id) ?? null;
  const approval: Approval = {
    noun: 'closing',
    does: 'to close the account',
    title: `Close the account of ${client.client}?`,
    effect: `${showCounted(client.running, 'deployment')} paused, and nothing is sold. The client reads why, and can resume once ${showMoney(client.owed)} is paid.`,
  };
  const close = () => setOpen(null);
  return (
    <SubjectRow
      about={client.client}
      below={STAGES[client.stage]}
      proposal={proposal}
      approval={approval}
      open={open}
      onOpen={setOpen}
      actions={[
        proposal === null && client.refusal === null
          ? {
              label: 'Close the account',
              dialog: <CloseDialog client={client} approval={approval} onClose={close} />,
            }
          : null,
      ]}
    >
      {client.refusal !== null && <p className="text-sm text-ink-soft">{client.refusal}</p>}
      <Facts
        facts={[
          ['Owed', showMoney(client.owed)],
          ['Bills', showCount(client.bills)],
          ['Oldest due (market time)', showDate(client.due_at)],
          ['Deployments that trade', showCount(client.running)],
        ]}
      />
    </SubjectRow>
  );
}

const STAGES: Readonly<Record<UnpaidClient['stage'], string>> = {
  overdue: 'Overdue',
  reminded: 'Reminded',
  stopped: 'Opens nothing new',
  closable: 'May be closed',
};

function CloseDialog({
  client,
  approval,
  onClose,
}: {
  client: UnpaidClient;
  approval: Approval;
  onClose: () => void;
}) {
  const propose = usePropose();
  return (
    <ProposeDialog
      title={approval.title}
      description={`${approval.effect} Nothing changes until a second person approves.`}
      action="Propose"
      label="Why (the client reads it)"
      placeholder="two reminders stayed unanswered"
      mutation={propose}
      onConfirm={(reason) =>
        propose.mutate({ action: 'close_unpaid', subject: client.id, reason }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}
