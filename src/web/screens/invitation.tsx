import { useEffect, useState } from 'react';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { useSearchParams } from '../kit/page/use-search-params.ts';
import { Notice } from '../kit/state/notice.tsx';
import { AcceptForm } from '../staff/accept-form.tsx';

/** Where the mailed link of an invitation leads. */
export function InvitationScreen() {
  usePageTitle('Invitation');
  const [query, setQuery] = useSearchParams();
  const [token] = useState(() => query.get('token'));
  // The token leaves the address at once: it belongs neither into the history nor into a bookmark.
  useEffect(() => {
    if (query.has('token')) setQuery({}, { replace: true });
  }, [query, setQuery]);
  return (
    <div className="mx-auto max-w-md">
      <h1 className="font-serif text-2xl">Join the staff</h1>
      <p className="mt-2 mb-6 text-ink-soft">
        Choose a password. The next step is a second factor: have an authenticator app at hand.
      </p>
      {token === null ? (
        <Notice tone="caution" title="The link is incomplete">
          Open the link of the invitation again, or ask an admin for a new one.
        </Notice>
      ) : (
        <AcceptForm token={token} />
      )}
    </div>
  );
}
