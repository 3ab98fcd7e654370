import type { ReactNode } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import { TextLink } from '../kit/control/text-link.tsx';
import { showMoney } from '../kit/figure/show-figure.ts';
import { Notice } from '../kit/state/notice.tsx';
import { useDeployment } from './deployment-queries.ts';

/** That no money is at stake here, and what trades beside it. */
export function PracticeNotice({ deployment }: { deployment: Deployment }) {
  const { mode, shadow, shadow_of: real } = deployment;
  if (mode === 'practice')
    return (
      <Notice title="Practice money">
        Its orders are filled inside Bellwether from market prices, with the costs of a backtest. None reaches
        a broker, and no fee is charged.
        {real !== null && <Beside id={real}>It goes on as the shadow of your real deployment</Beside>}
      </Notice>
    );
  if (shadow === null) return null;
  return (
    <Notice title="A practice shadow goes on beside it">
      It has traded the same strategy with practice money since before this deployment began.
      <Beside id={shadow}>The shadow</Beside>
    </Notice>
  );
}

function Beside({ id, children }: { id: string; children: ReactNode }) {
  const other = useDeployment(id);
  return (
    <span className="mt-1 block">
      <TextLink to={`/deployed-strategies/${id}`}>{children}</TextLink>
      {other.data && `, worth ${showMoney(other.data.equity)} now`}.
    </span>
  );
}
