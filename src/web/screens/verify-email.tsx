import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { useSession } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { useSearchParams } from '../kit/page/use-search-params.ts';
import { Notice } from '../kit/state/notice.tsx';

/** Where the mailed link leads. Pressing says it: mail programs open links by themselves. */
export function VerifyEmail() {
  usePageTitle('Verify your address');
  const { user, reloadUser } = useSession();
  const [query, setQuery] = useSearchParams();
  const [token] = useState(() => query.get('token'));
  // The token leaves the address at once: it belongs neither into the history nor into a bookmark.
  useEffect(() => {
    if (query.has('token')) setQuery({}, { replace: true });
  }, [query, setQuery]);
  const verify = useMutation({
    mutationFn: (asked: string) => call('verifyEmail', { body: { token: asked } }),
    onSuccess: () => (user === null ? undefined : reloadUser()),
  });
  return (
    <div className="mx-auto grid max-w-md gap-6">
      <h1 className="font-serif text-2xl">Verify your address</h1>
      {token === null && (
        <Notice tone="caution" title="The link is incomplete">
          Open the link of the mail again, or sign in and send a new one.
        </Notice>
      )}
      {verify.isError && (
        <Notice tone="failure">
          {sentenceOf(verify.error, 'It could not be verified. Please try again.')}
        </Notice>
      )}
      {verify.isSuccess ? (
        <Notice tone="success" title="Your address is verified">
          From now on we mail you the notices and reports that you choose.{' '}
          <TextLink to={user === null ? '/login' : '/dashboard'}>
            {user === null ? 'Sign in' : 'To your dashboard'}
          </TextLink>
        </Notice>
      ) : (
        token !== null && (
          <>
            <p className="text-ink-soft">
              You have opened the link that we mailed you. One press confirms it.
            </p>
            <Button
              size="large"
              wide
              busy={verify.isPending}
              busyLabel="Please wait..."
              onClick={() => verify.mutate(token)}
            >
              This is my address
            </Button>
          </>
        )
      )}
    </div>
  );
}
