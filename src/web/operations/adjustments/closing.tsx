import { useState } from 'react';
import type { PositionBreak } from '#contract/operations/adjustments.ts';
import { Button } from '../../kit/control/button.tsx';
import { isLive, ProposalPanel } from './proposal-panel.tsx';
import { ProposeDialog } from './propose-dialog.tsx';

/** A row's proposal, or a way to propose one. */
export function Closing({
  proposal,
  occasion,
  about,
}: Pick<Parameters<typeof ProposeDialog>[0], 'occasion' | 'about'> & Pick<PositionBreak, 'proposal'>) {
  const [proposes, setProposes] = useState(false);
  return (
    <div className="grid gap-3">
      {proposal !== null && <ProposalPanel proposal={proposal} />}
      {!isLive(proposal) && (
        <div>
          <Button
            variant="secondary"
            size="small"
            aria-label={`Resolve: ${about}`}
            onClick={() => setProposes(true)}
          >
            Resolve
          </Button>
        </div>
      )}
      {proposes && <ProposeDialog occasion={occasion} about={about} onClose={() => setProposes(false)} />}
    </div>
  );
}
