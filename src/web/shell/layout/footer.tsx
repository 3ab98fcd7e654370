import { useHasProvider } from '../../call/installation.ts';
import { PROVIDER, STATEMENTS } from '../../call/provider.ts';
import { Link } from '../../kit/control/link.tsx';
import { useSession } from '../../call/session.tsx';
import { Mark } from './mark.tsx';
import { footerLinks } from './navigation.ts';

export function Footer() {
  const { user } = useSession();
  const hasProvider = useHasProvider();
  return (
    <footer className="mt-24 border-t bg-surface">
      <div className="page grid gap-10 py-12 md:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="max-w-sm">
          <p className="flex items-center gap-2.5 font-serif text-lg">
            <Mark />
            {PROVIDER.productName}
          </p>
          <p className="mt-3 text-sm text-ink-faint">
            Trading can lose money. Past and hypothetical performance does not predict future results.
            {hasProvider &&
              ' Our trading fee applies only to profit: 30% above your previous highest value, and for US residents only once they attest to be qualified clients.'}
          </p>
        </div>
        {footerLinks({ isSignedIn: user !== null, hasProvider }).map((group) => (
          <nav key={group.title} aria-label={group.title}>
            <p className="text-sm text-ink-faint">{group.title}</p>
            <ul className="mt-3 grid gap-0.5">
              {group.links.map((link) => (
                <li key={link.to}>
                  <Link to={link.to} className="inline-block py-1 text-sm text-ink-soft hover:text-ink">
                    {link.label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <div className="border-t">
        <p className="page py-5 text-xs text-ink-faint">{STATEMENTS.imprint}</p>
      </div>
    </footer>
  );
}
