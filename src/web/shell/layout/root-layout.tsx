import { lazy, Suspense, useEffect, useRef, type RefObject } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { watchSessionEnd } from '../../call/call.ts';
import { useHasProvider } from '../../call/installation.ts';
import { showToast } from '../../kit/overlay/toast.ts';
import { Toaster } from '../../kit/overlay/toaster.tsx';
import { VerifyBanner } from '../../identity/verify-banner.tsx';
import { Keyboard } from '../keyboard.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { MarketRibbon } from './market-ribbon.tsx';
import { useSearchParams } from '../../kit/page/use-search-params.ts';

/** What wraps every page. */
export function RootLayout() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useBeginningOfPage(main, pathname);
  useLoggedOutRedirect();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="absolute z-50 -translate-y-full rounded-control bg-accent-fill px-4 py-2 text-sm text-on-accent focus:translate-y-2"
      >
        Skip to content
      </a>
      <MarketRibbon />
      <Header />
      <VerifyBanner />
      <main ref={main} id="content" tabIndex={-1} className="page flex-1 pt-8 sm:pt-12">
        <Outlet />
      </main>
      <Footer />
      <BottomBar />
      <Toaster />
      <Keyboard />
      <Plans />
    </div>
  );
}

const PlanModal = lazy(async () => ({ default: (await import('../../billing/plan-modal.tsx')).PlanModal }));

/** The plans, over any page whose address requests them. */
function Plans() {
  const [query] = useSearchParams();
  const hasProvider = useHasProvider();
  if (!hasProvider || !query.has('plans')) return null;
  return (
    <Suspense>
      <PlanModal />
    </Suspense>
  );
}

/** A new page begins at its top, for the eye and for the screen reader. */
function useBeginningOfPage(main: RefObject<HTMLElement | null>, pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}

/** When the service has ended the session: say so and go to sign-in, unless already there. */
function useLoggedOutRedirect(): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(
    () =>
      watchSessionEnd(() => {
        showToast({ title: 'Logged out', message: 'Your session has ended. Please sign in again.' });
        if (pathname !== '/login') void navigate('/login', { state: { redirectTo: pathname + search } });
      }),
    [navigate, pathname, search],
  );
}
