import { X } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useInstallation } from '../call/installation.ts';
import { call } from '../call/call.ts';
import { CallError } from '../call/call-error.ts';
import { agreementTitle } from '#rules/agreements/agreement-title.ts';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';

/** Specification section 9: signing starts after 1000 ms; the area is 520 px high (section 2). */
const START_DELAY_MS = 1000;
/** The page in the frame is ours and small: later than this, it is not coming. */
const LOAD_TIME_MAX_MS = 15_000;

/** The page inside this page where the agreement is signed. */
export function SigningArea({
  onClose,
  onSessionEnd,
  onFailure,
}: {
  onClose: () => void;
  /** The signing page says that it is done; the service is to be asked whether that is so. */
  onSessionEnd: () => void;
  onFailure: (message: string) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const installation = useInstallation();
  const kind = installation === 'own' ? 'statement' : 'agreement';
  const [loaded, setLoaded] = useState(false);
  const address = useSigningAddress({ loaded, onSessionEnd, onFailure });
  useSessionEnd(frame, onSessionEnd);

  useEffect(() => heading.current?.focus(), []);

  return (
    <section aria-label={`Sign the ${kind}`} className="overflow-hidden rounded-surface border">
      <div className="flex items-center justify-between gap-4 border-b bg-raised py-1 pr-1 pl-4">
        <h3 ref={heading} tabIndex={-1} className="text-sm font-medium outline-none">
          {agreementTitle(installation)}
        </h3>
        <button
          type="button"
          aria-label="Close signing"
          onClick={onClose}
          className="flex size-10 items-center justify-center rounded-control text-ink-soft hover:text-ink"
        >
          <X className="size-5" aria-hidden="true" />
        </button>
      </div>
      <div className="relative h-[520px]">
        {!loaded && (
          <div className="absolute inset-0 grid content-start gap-3 p-6">
            <LoadingText>{`Preparing the ${kind}...`}</LoadingText>
            <Skeleton className="h-7 w-56" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-2/3" />
          </div>
        )}
        {address !== null && (
          // oxlint-disable-next-line react/iframe-missing-sandbox -- our own page of our own origin: a sandbox that lets both through guards nothing
          <iframe
            ref={frame}
            src={address}
            title="Signing page"
            onLoad={() => setLoaded(true)}
            className="absolute inset-0 size-full"
          />
        )}
      </div>
    </section>
  );
}

/** Asks for the page to sign at; one that never loads is a failure. */
function useSigningAddress({
  loaded,
  onSessionEnd,
  onFailure,
}: {
  loaded: boolean;
  onSessionEnd: () => void;
  onFailure: (message: string) => void;
}): string | null {
  const [address, setAddress] = useState<string | null>(null);
  const tellEnd = useEffectEvent(onSessionEnd);
  const tellFailure = useEffectEvent(onFailure);

  useEffect(() => {
    const asked = new AbortController();
    const start = window.setTimeout(() => {
      call('getAgreementUrl', { signal: asked.signal }).then(
        ({ signing_url }) => setAddress(frameAddress(signing_url)),
        (error: unknown) => {
          if (asked.signal.aborted) return;
          // Signed elsewhere meanwhile: nothing is left to sign.
          if (error instanceof CallError && error.code === 'already_exists') tellEnd();
          else tellFailure(startFailure(error));
        },
      );
    }, START_DELAY_MS);
    return () => {
      window.clearTimeout(start);
      asked.abort();
    };
  }, []);

  useEffect(() => {
    if (address === null || loaded) return;
    const late = window.setTimeout(
      () => tellFailure('Failed to initialize signing experience. Please try again.'),
      LOAD_TIME_MAX_MS,
    );
    return () => window.clearTimeout(late);
  }, [address, loaded]);

  return address;
}

function useSessionEnd(frame: RefObject<HTMLIFrameElement | null>, onSessionEnd: () => void): void {
  const tellEnd = useEffectEvent(onSessionEnd);

  useEffect(() => {
    const listen = (event: MessageEvent<unknown>) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== window.location.origin) return;
      if (isSessionEnd(event.data)) tellEnd();
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [frame]);
}

/** Our own signing page is loaded from this page's origin, so that the two can exchange messages. */
function frameAddress(signingUrl: string): string {
  const address = new URL(signingUrl, window.location.href);
  if (!address.pathname.startsWith('/sign/')) return address.href;
  address.searchParams.set('theme', document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark');
  return `${address.pathname}${address.search}`;
}

function startFailure(error: unknown): string {
  if (!(error instanceof CallError)) return 'Failed to load agreement. Please try again.';
  return `Failed to get agreement signing URL. ${error.message}`;
}

function isSessionEnd(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'sessionEnd';
}
