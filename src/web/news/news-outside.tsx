import { useState } from 'react';
import type { NewsAddress, NewsOutside as Outside } from '#contract/news.ts';
import { CallError, sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { LinkTelegram } from './link-telegram.tsx';
import { NewsLog } from './news-log.tsx';
import {
  useAddBrowser,
  useNewsOutside,
  useRemoveAddress,
  useTestAddress,
  useThisBrowser,
} from './news-queries.ts';

/** Browsers and chats that get news also while nobody looks at the site. */
export function NewsOutside() {
  const outside = useNewsOutside();
  return (
    <section className="grid gap-4" aria-labelledby="news-outside">
      <SectionTitle id="news-outside" note="Also while you are not on the site, or signed out.">
        Push and Telegram
      </SectionTitle>
      {outside.isPending && <Skeleton className="h-24" />}
      {outside.isError && (
        <ErrorState
          title="Your browsers and chats could not be loaded"
          onRetry={() => void outside.refetch()}
        />
      )}
      {outside.data !== undefined && <Addresses outside={outside.data} />}
    </section>
  );
}

function Addresses({ outside }: { outside: Outside }) {
  const { addresses, telegram, push } = outside;
  const [links, setLinks] = useState(false);
  return (
    <>
      {addresses.length > 0 && (
        <ul>
          {addresses.map((address) => (
            <AddressRow key={address.id} address={address} />
          ))}
        </ul>
      )}
      <ThisBrowser addresses={addresses} publicKey={push.public_key} />
      {telegram !== null && (
        <div>
          <Button variant="secondary" size="small" onClick={() => setLinks(true)}>
            Link Telegram
          </Button>
        </div>
      )}
      <details className="text-sm">
        <summary className="cursor-pointer text-ink-soft">What was sent</summary>
        <NewsLog />
      </details>
      {links && <LinkTelegram known={addresses} onClose={() => setLinks(false)} />}
    </>
  );
}

function ThisBrowser({ addresses, publicKey }: { addresses: readonly NewsAddress[]; publicKey: string }) {
  const add = useAddBrowser();
  const { data: state = 'on' } = useThisBrowser(addresses);
  if (state === 'on') return null;
  if (state !== 'off') return <p className="text-sm text-ink-soft">{WAYS_OUT[state]}</p>;
  const refused = add.error instanceof CallError ? sentenceOf(add.error, NOT_ADDED) : NOT_ADDED;
  return (
    <div className="grid gap-3">
      {add.error && <Notice tone="failure">{refused}</Notice>}
      <div>
        <Button
          variant="secondary"
          size="small"
          busy={add.isPending}
          busyLabel="Turning on..."
          onClick={() => add.mutate(publicKey)}
        >
          Turn on push in this browser
        </Button>
      </div>
    </div>
  );
}

const NOT_ADDED =
  'Push was not turned on: the browser, or its push service, did not allow it. Please try again.';

const WAYS_OUT = {
  unable:
    'This browser takes no push. On an iPhone or iPad, add the site to the home screen and open it there.',
  forbidden:
    'This browser forbids notifications of this site. Allow them in its settings, then load the page again.',
} as const;

function AddressRow({ address }: { address: NewsAddress }) {
  const remove = useRemoveAddress();
  const test = useTestAddress();
  const failed = remove.error ?? test.error;
  const { id, name, channel, created_at: since } = address;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b py-3 last:border-0">
      <p className="min-w-48 flex-1">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="block text-sm text-ink-soft">
          {channel === 'push' ? 'Push' : 'Telegram'}, since {showDateTime(since)}
        </span>
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          size="small"
          busy={test.isPending}
          onClick={() => test.mutate(id)}
          aria-label={`Send a test to ${name}`}
        >
          Send a test
        </Button>
        <Button
          variant="secondary"
          size="small"
          busy={remove.isPending}
          onClick={() => remove.mutate(id)}
          aria-label={`Remove ${name}`}
        >
          Remove
        </Button>
      </div>
      {failed && (
        <div className="w-full">
          <Notice tone="failure">{sentenceOf(failed, 'That did not work. Please try again.')}</Notice>
        </div>
      )}
    </li>
  );
}
