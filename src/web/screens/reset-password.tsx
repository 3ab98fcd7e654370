import { useEffect, useState } from 'react';
import { NewPasswordForm } from '../identity/new-password-form.tsx';
import { ResetRequestForm } from '../identity/reset-request-form.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { useSearchParams } from '../kit/page/use-search-params.ts';

/** Where a mailed link leads; without one, where it is asked for. */
export function ResetPassword() {
  usePageTitle('Reset password');
  const [query, setQuery] = useSearchParams();
  const [token, setToken] = useState(() => query.get('token'));
  // The token leaves the address at once: it belongs neither into the history nor into a bookmark.
  useEffect(() => {
    if (query.has('token')) setQuery({}, { replace: true });
  }, [query, setQuery]);
  return (
    <div className="mx-auto max-w-md">
      <h1 className="font-serif text-2xl">{token === null ? 'Reset your password' : 'Set a new password'}</h1>
      <p className="mt-2 mb-6 text-ink-soft">
        {token === null
          ? 'We e-mail you a link. It works once and expires in 30 minutes.'
          : 'This signs you out on all devices.'}
      </p>
      {token === null ? (
        <ResetRequestForm />
      ) : (
        <NewPasswordForm token={token} onAskAgain={() => setToken(null)} />
      )}
    </div>
  );
}
