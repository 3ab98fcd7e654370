import { useNavigate } from 'react-router';
import { useSession } from '../../call/session.tsx';
import { loadScreen } from '../load-screen.ts';

/** Ends the session and goes to sign-in. The page is left first, so that it does not ask to be returned to. */
export function useSignOut(): () => Promise<void> {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return async () => {
    await loadScreen('/login');
    await navigate('/login', { state: { signedOut: true } });
    await signOut();
    await navigate('/login', { replace: true, state: null });
  };
}
