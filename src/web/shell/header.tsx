import { lazy, Suspense } from 'react';
import { PROVIDER } from '#rules/provider.ts';
import { Link, NavLink } from '../kit/link.tsx';
import { useSession } from '../identity/session.tsx';
import { ButtonLink } from '../kit/button-link.tsx';
import { classNames } from '../kit/class-names.ts';
import { Mark } from './mark.tsx';
import { MenuSheet } from './menu-sheet.tsx';
import { loadPersonalTools } from './load-screen.ts';
import { headerLinks } from './navigation.ts';
import { ThemeSwitch } from './theme-switch.tsx';

/** Nothing of it is needed by visitors. */
const PersonalTools = lazy(async () => ({ default: (await loadPersonalTools()).PersonalTools }));

export function Header() {
  const { user } = useSession();
  return (
    <header className="sticky top-0 z-20 border-b bg-ground/95 backdrop-blur-sm">
      <div className="page flex h-16 items-center gap-6">
        <Link to="/" className="flex items-center gap-2.5 rounded-control">
          <Mark />
          <span className="font-serif text-lg font-medium tracking-tight">{PROVIDER.productName}</span>
        </Link>
        <nav aria-label="Main" className="hidden h-full flex-1 items-stretch gap-6 pl-4 lg:flex">
          {headerLinks(user !== null).map((link) => (
            <NavLink
              key={link.to}
              to={link.to}
              end={link.to !== '/deployed-strategies'}
              className={({ isActive }) =>
                classNames(
                  'flex items-center border-b-2 pt-0.5 text-sm transition-colors',
                  isActive ? 'border-accent text-ink' : 'border-transparent text-ink-soft hover:text-ink',
                )
              }
            >
              {link.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 lg:ml-0">
          <ThemeSwitch />
          {user ? (
            <Suspense fallback={<span className="w-20" />}>
              <PersonalTools key={user.id} user={user} />
            </Suspense>
          ) : (
            <ButtonLink to="/login" variant="secondary" size="small" className="ml-2 hidden sm:inline-flex">
              Sign In
            </ButtonLink>
          )}
          <MenuSheet />
        </div>
      </div>
    </header>
  );
}
