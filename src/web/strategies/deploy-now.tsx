import type { StrategyDetail } from '#contract/strategies/strategies.ts';
import { useSession } from '../call/session.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { Notice } from '../kit/state/notice.tsx';

type Offered = Pick<StrategyDetail, 'id' | 'offer_note'>;

/** Goes to the deployment of a strategy; visitors sign in first and come back to it. Nothing where nobody can deploy it. */
export function DeployNow({
  strategy,
  wide = false,
  size = 'large',
}: {
  strategy: Offered;
  wide?: boolean;
  size?: 'small' | 'large';
}) {
  const { user } = useSession();
  if (strategy.offer_note !== null) return null;
  const path = `/strategy/${strategy.id}/deploy`;
  return user ? (
    <ButtonLink to={path} size={size} wide={wide}>
      Deploy Now
    </ButtonLink>
  ) : (
    <ButtonLink to="/login" state={{ redirectTo: path }} size={size} wide={wide}>
      Deploy Now
    </ButtonLink>
  );
}

/** On a phone: under the thumb wherever one reads, above the bar of the shell. */
export function DeployBar({ strategy }: { strategy: Offered }) {
  if (strategy.offer_note !== null) return null;
  return (
    <div className="fixed inset-x-0 bottom-(--bottom-bar,0px) z-10 border-t bg-ground/95 px-4 py-2 backdrop-blur-sm sm:hidden print:hidden">
      <DeployNow strategy={strategy} wide />
    </div>
  );
}

/** Why nobody can deploy it; nothing where they can. */
export function OfferNote({ strategy }: { strategy: Offered }) {
  return strategy.offer_note === null ? null : <Notice tone="caution">{strategy.offer_note}</Notice>;
}
