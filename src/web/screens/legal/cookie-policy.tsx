import { PROVIDER } from '../../call/provider.ts';
import { ProsePage, type ProseSection } from '../../kit/page/prose-page.tsx';

const SECTIONS: readonly ProseSection[] = [
  {
    heading: 'No cookies',
    paragraphs: [
      'We set no cookies, use no trackers, and load nothing from other companies. There is therefore no banner to close.',
    ],
  },
  {
    heading: 'What your browser keeps for us',
    paragraphs: [
      'In its local storage: the two tokens of your session while you are signed in (token, refreshToken), your choice of theme (theme), the range last chosen on each chart, and settings that you make on the account page. None of it is read by anyone but this site.',
    ],
  },
  {
    heading: 'Removing it',
    paragraphs: [
      'Signing out removes the tokens. Clearing the site’s data in your browser removes everything; you then see the dark theme again and must sign in.',
    ],
  },
];

export function CookiePolicy() {
  return (
    <ProsePage title="Cookie Policy" effective={PROVIDER.relationshipSummaryEffective} sections={SECTIONS} />
  );
}
