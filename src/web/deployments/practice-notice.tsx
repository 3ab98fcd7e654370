import type { ReactNode } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import { useHasProvider } from '../call/installation.ts';
import { TextLink } from '../kit/control/text-link.tsx';
import { Notice } from '../kit/state/notice.tsx';

/** That no money is at stake here, and what trades beside it. */
export function PracticeNotice({ deployment }: { deployment: Deployment }) {
  const { mode, shadow, shadow_of: real } = deployment;
  const hasProvider = useHasProvider();
  if (mode === 'practice')
    return (
      <Notice title="Practice money">
        Its orders are filled inside Bellwether from market prices, with the costs of a backtest. None reaches
        a broker{hasProvider && ', and no fee is charged'}.
        {real !== null && <Beside id={real}>It goes on as the shadow of your deployment at a broker</Beside>}
      </Notice>
    );
  if (shadow === null) return null;
  return (
    <Notice title="A practice shadow goes on beside it">
      It has traded the same strategy with practice money since before this deployment began.
      <Beside id={shadow}>See the shadow</Beside>
    </Notice>
  );
}

function Beside({ id, children }: { id: string; children: ReactNode }) {
  return (
    <span className="mt-1 block">
      <TextLink to={`/deployed-strategies/${id}`}>{children}</TextLink>.
    </span>
  );
}
