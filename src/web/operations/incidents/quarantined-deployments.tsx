import { useState } from 'react';
import type { QuarantinedDeployment } from '#contract/operations/incident-subjects.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { showCounted, showMoney } from '../../kit/figure/show-figure.ts';
import { Facts } from '../facts.tsx';
import { WaitingList } from '../waiting-list.tsx';
import { usePropose } from '../proposals/proposal-queries.ts';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';
import { SubjectRow } from './subject-row.tsx';

/** Deployments that are set aside, until two people release them. */
export function QuarantinedDeployments({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="quarantined"
      title="Quarantined deployments"
      note="They do not trade, and their stop losses do not trigger. Stops at brokers keep working."
      none="No deployment is quarantined."
      list={desk.quarantined}
    >
      {desk.quarantined.results.map((deployment) => (
        <DeploymentRow key={deployment.subject} deployment={deployment} />
      ))}
    </WaitingList>
  );
}

function DeploymentRow({ deployment }: { deployment: QuarantinedDeployment }) {
  const { account, broker_name: broker, client, strategy_name: strategy, proposal } = deployment;
  const about = `${strategy} in ${account}`;
  const [open, setOpen] = useState<string | null>(null);
  const effect = EFFECTS[deployment.released_as];
  return (
    <SubjectRow
      about={about}
      below={`${broker}, ${client}`}
      proposal={proposal}
      open={open}
      onOpen={setOpen}
      approval={{ does: 'to release it', title: `Release ${about}?`, effect }}
      actions={[
        proposal === null
          ? {
              label: 'Release',
              dialog: (
                <ReleaseDialog
                  deployment={deployment}
                  about={about}
                  effect={effect}
                  onClose={() => setOpen(null)}
                />
              ),
            }
          : null,
      ]}
    >
      <p className="max-w-[68ch] text-sm text-ink-soft">{deployment.cause}</p>
      <Facts
        facts={[
          ['Value', showMoney(deployment.equity)],
          ['Holds', showCounted(deployment.positions, 'position')],
        ]}
      />
    </SubjectRow>
  );
}

const EFFECTS: Readonly<Record<QuarantinedDeployment['released_as'], string>> = {
  paused: 'It is paused afterwards, and its owner is told. It trades again once they resume it.',
  frozen: 'It was frozen, and stays so: stop losses are watched again, and nothing new is bought.',
  closing: 'It was closing its positions, and goes on with that.',
};

function ReleaseDialog({
  deployment: { account, subject, seen },
  about,
  effect,
  onClose,
}: {
  deployment: QuarantinedDeployment;
  about: string;
  effect: string;
  onClose: () => void;
}) {
  const propose = usePropose();
  return (
    <ProposeDialog
      title={`Release: ${about}`}
      description={`${effect} Nothing changes until a second person approves.`}
      action="Propose"
      placeholder="engineering has fixed the valuation"
      mutation={propose}
      onConfirm={(reason) =>
        propose.mutate({ action: 'release', account, subject, seen, reason }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}
