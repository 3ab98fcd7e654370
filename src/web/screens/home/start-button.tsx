import { useSession } from '../../call/session.tsx';
import { ButtonLink } from '../../kit/control/button-link.tsx';

/** The main way in: to the dashboard for those who are signed in, else to sign-in. */
export function StartButton() {
  const { user } = useSession();
  return user ? (
    <ButtonLink to="/dashboard" size="large">
      Go to Dashboard
    </ButtonLink>
  ) : (
    <ButtonLink to="/login" size="large">
      Get Started
    </ButtonLink>
  );
}
