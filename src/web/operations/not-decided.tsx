import { sentenceOf } from '../call/call-error.ts';
import { Notice } from '../kit/state/notice.tsx';

/** Shown in a dialog whose decision failed. */
export function NotDecided({ error }: { error: Error }) {
  return (
    <Notice tone="failure" title="Your decision was not saved">
      {sentenceOf(error, 'Please try again.')}
    </Notice>
  );
}
