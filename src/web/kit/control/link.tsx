import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { type To, useHref, useLocation, useNavigate } from 'react-router';

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: To;
  replace?: boolean;
  state?: unknown;
};

/** A link within the app. The router's own brings the machinery of forms and prefetching with it, 5 KB of every page. */
export function Link({ to, replace, state, onClick, target, ...rest }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || isForTheBrowser(event, target)) return;
    event.preventDefault();
    // Going where one is already leaves no second step back, as with any link.
    const isHere = href === window.location.pathname + window.location.search + window.location.hash;
    void navigate(to, { replace: replace ?? isHere, state });
  };
  return (
    // biome-ignore lint/a11y/useValidAnchor: it has an address, and the browser follows it in a new window
    <a {...rest} href={href} target={target} onClick={follow} />
  );
}

/** A link that says where one is: `end` counts only the very page, not those below it. */
export function NavLink({
  end = false,
  className,
  ...rest
}: Omit<LinkProps, 'className'> & {
  to: string;
  end?: boolean;
  className: (at: { isActive: boolean }) => string;
}) {
  const { pathname } = useLocation();
  const isActive = pathname === rest.to || (!end && pathname.startsWith(`${rest.to}/`));
  return <Link {...rest} aria-current={isActive ? 'page' : undefined} className={className({ isActive })} />;
}

/** Another button, a key held, or another window: the browser knows best. */
function isForTheBrowser(event: MouseEvent, target: string | undefined): boolean {
  const isPlain = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey);
  return !isPlain || (target !== undefined && target !== '_self');
}
