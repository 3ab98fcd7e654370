import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '../call/session.tsx';

/** Lets only signed-in people through; others go to sign-in, which remembers where they wanted to go. */
export function RequireSession() {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  if (!user) return <Navigate to="/login" state={{ redirectTo: pathname + search }} replace />;
  return <Outlet />;
}
