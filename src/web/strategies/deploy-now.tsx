import { useSession } from '../call/session.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';

/** Goes to the deployment of a strategy; visitors sign in first and come back to it. */
export function DeployNow({
  strategyId,
  wide = false,
  size = 'large',
}: {
  strategyId: string;
  wide?: boolean;
  size?: 'small' | 'large';
}) {
  const { user } = useSession();
  const path = `/strategy/${strategyId}/deploy`;
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
export function DeployBar({ strategyId }: { strategyId: string }) {
  return (
    <div className="fixed inset-x-0 bottom-(--bottom-bar,0px) z-10 border-t bg-ground/95 px-4 py-2 backdrop-blur-sm sm:hidden print:hidden">
      <DeployNow strategyId={strategyId} wide />
    </div>
  );
}
