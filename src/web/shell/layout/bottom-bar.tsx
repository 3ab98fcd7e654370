import { Banknote, LayoutDashboard, Store, UserRound } from 'lucide-react';
import type { User } from '#contract/identity.ts';
import { NavLink } from '../../kit/control/link.tsx';
import { useSession } from '../../call/session.tsx';

const PLACES = [
  { to: '/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { to: '/deployed-strategies', label: 'Deployed', icon: Banknote },
  { to: '/marketplace', label: 'Marketplace', icon: Store },
  { to: '/account', label: 'Account', icon: UserRound },
] as const;

/** On a phone, the four places of a client under the thumb. Staff have desks that do not fit there. */
export function BottomBar() {
  const { user } = useSession();
  if (user === null || !isClient(user)) return null;
  return (
    <nav
      aria-label="Places"
      data-bottom-bar
      className="fixed inset-x-0 bottom-0 z-20 border-t bg-ground pb-[env(safe-area-inset-bottom)] sm:hidden print:hidden"
    >
      <ul className="grid h-14 grid-cols-4">
        {PLACES.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <NavLink
              to={to}
              className={({ isActive }) =>
                `flex h-full flex-col items-center justify-center gap-0.5 text-xs ${isActive ? 'text-accent' : 'text-ink-soft'}`
              }
            >
              <Icon className="size-5" aria-hidden="true" />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function isClient({ role }: Pick<User, 'role'>): boolean {
  return role === 'investor';
}
