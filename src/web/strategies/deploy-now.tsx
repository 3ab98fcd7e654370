import { useSession } from '../call/session.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';

/** Goes to the deployment of a strategy; visitors sign in first and come back to it. */
export function DeployNow({ strategyId, wide = false }: { strategyId: string; wide?: boolean }) {
  const { user } = useSession();
  const path = `/strategy/${strategyId}/deploy`;
  return user ? (
    <ButtonLink to={path} size="large" wide={wide}>
      Deploy Now
    </ButtonLink>
  ) : (
    <ButtonLink to="/login" state={{ redirectTo: path }} size="large" wide={wide}>
      Deploy Now
    </ButtonLink>
  );
}
