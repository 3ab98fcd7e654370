import { LogOut } from 'lucide-react';
import { useLocation } from 'react-router';
import type { User } from '#contract/identity.ts';
import { Link } from '../../kit/control/link.tsx';
import { plansQuery } from '../../billing/plans-query.ts';
import { Popover } from '../../kit/overlay/popover.tsx';
import { useHasProvider } from '../../call/installation.ts';
import { headerLinks, PLANS_LABEL } from './navigation.ts';
import { useSignOut } from './use-sign-out.ts';

/** The first initial opens who is signed in, their places, and the way out. */
export function UserMenu({ user }: { user: User }) {
  const signOut = useSignOut();
  const hasProvider = useHasProvider();
  const { search } = useLocation();
  const initial = user.first_name.trim().charAt(0).toUpperCase() || 'U';
  return (
    <Popover
      label={`User menu, ${user.first_name || user.email}`}
      panelLabel="User menu"
      trigger={initial}
      triggerClassName="ml-1 flex size-9 items-center justify-center rounded-full border border-control-line/60 bg-raised text-sm font-medium text-ink transition-colors hover:border-control-line"
    >
      {(close) => (
        <>
          <div className="border-b px-4 py-3">
            <p className="truncate font-medium">{user.first_name || 'User'}</p>
            <p className="truncate text-sm text-ink-faint">{user.email}</p>
          </div>
          <ul className="p-1.5">
            {headerLinks(user).map((link) => (
              <li key={link.to}>
                <Link to={link.to} onClick={close} className={ITEM}>
                  {link.label}
                </Link>
              </li>
            ))}
            {hasProvider && (
              <li>
                <Link to={plansQuery(search)} onClick={close} className={ITEM}>
                  {PLANS_LABEL}
                </Link>
              </li>
            )}
            <li className="mt-1.5 border-t pt-1.5">
              <button type="button" onClick={() => void signOut()} className={ITEM}>
                <LogOut className="size-4" aria-hidden="true" />
                Sign Out
              </button>
            </li>
          </ul>
        </>
      )}
    </Popover>
  );
}

const ITEM =
  'flex h-10 w-full items-center gap-2 rounded-control px-2.5 text-sm text-ink-soft hover:bg-accent-wash hover:text-ink';
