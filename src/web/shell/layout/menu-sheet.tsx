import { Menu, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { Link } from '../../kit/control/link.tsx';
import { plansQuery } from '../../billing/plans-query.ts';
import { useSession } from '../../call/session.tsx';
import { ICON_BUTTON } from '../../kit/control/icon-button.ts';
import { useHasProvider } from '../../call/installation.ts';
import { headerLinks, PLANS_LABEL } from './navigation.ts';
import { useSignOut } from './use-sign-out.ts';

/** The header's links on small screens, as a sheet from the right. */
export function MenuSheet() {
  const { user } = useSession();
  const signOut = useSignOut();
  const hasProvider = useHasProvider();
  const { pathname, search } = useLocation();
  const sheet = useRef<HTMLDialogElement>(null);
  const close = () => sheet.current?.close();
  useEffect(close, [pathname]);
  return (
    <div className="lg:hidden">
      <button
        type="button"
        aria-label="Menu"
        aria-haspopup="dialog"
        onClick={() => sheet.current?.showModal()}
        className={ICON_BUTTON}
      >
        <Menu className="size-5" aria-hidden="true" />
      </button>
      <dialog
        ref={sheet}
        aria-label="Menu"
        onClick={(event) => event.target === event.currentTarget && close()}
        className="m-0 ml-auto h-dvh max-h-none w-72 max-w-[85vw] animate-fade border-l bg-surface text-ink backdrop:bg-ground/80"
      >
        <div className="flex min-h-full flex-col p-4">
          <button type="button" aria-label="Close menu" onClick={close} className={`${ICON_BUTTON} self-end`}>
            <X className="size-5" aria-hidden="true" />
          </button>
          <nav aria-label="Menu">
            <ul className="mt-2 grid gap-1">
              {headerLinks(user).map((link) => (
                <li key={link.to}>
                  <Link to={link.to} onClick={close} className={ITEM}>
                    {link.label}
                  </Link>
                </li>
              ))}
              {user && hasProvider && (
                <li>
                  <Link to={plansQuery(search)} onClick={close} className={ITEM}>
                    {PLANS_LABEL}
                  </Link>
                </li>
              )}
              <li className="mt-3 border-t pt-3">
                {user ? (
                  <button
                    type="button"
                    className={ITEM}
                    onClick={() => {
                      close();
                      void signOut();
                    }}
                  >
                    Sign Out
                  </button>
                ) : (
                  <Link to="/login" onClick={close} className={ITEM}>
                    Sign In
                  </Link>
                )}
              </li>
            </ul>
          </nav>
        </div>
      </dialog>
    </div>
  );
}

const ITEM = 'flex h-12 w-full items-center rounded-control px-3 text-base text-ink hover:bg-raised';
