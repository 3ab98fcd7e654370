import { Search } from 'lucide-react';
import { createElement, useEffect, useState } from 'react';
import type { User } from '#contract/identity.ts';
import { PROVIDER } from '../../call/provider.ts';
import { Link, NavLink } from '../../kit/control/link.tsx';
import { useSession } from '../../call/session.tsx';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { ICON_BUTTON } from '../../kit/control/icon-button.ts';
import { classNames } from '../../kit/class-names.ts';
import { Mark } from './mark.tsx';
import { MenuSheet } from './menu-sheet.tsx';
import { loadedPersonalTools, loadPersonalTools } from '../load-personal-tools.ts';
import { PALETTE_EVENT } from '../keyboard.tsx';
import { headerLinks } from './navigation.ts';
import { ThemeSwitch } from './theme-switch.tsx';

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
          {headerLinks(user).map((link) => (
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
          <button
            type="button"
            aria-label="Search"
            title="Search (Ctrl K)"
            aria-haspopup="dialog"
            className={`${ICON_BUTTON} max-sm:hidden`}
            onClick={() => window.dispatchEvent(new Event(PALETTE_EVENT))}
          >
            <Search className="size-5" aria-hidden="true" />
          </button>
          <ThemeSwitch />
          {user ? (
            <PersonalCorner key={user.id} user={user} />
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

/** Loaded before the first page of a signed-in user; after a sign-in its space is reserved until it is loaded. */
function PersonalCorner({ user }: { user: User }) {
  const [tools, setTools] = useState(() => loadedPersonalTools());
  useEffect(() => {
    if (tools === null) void loadPersonalTools().then((loaded) => setTools(() => loaded));
  }, [tools]);
  return tools === null ? <span className="w-20" /> : createElement(tools, { user });
}
