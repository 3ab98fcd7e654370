import { PROVIDER } from '../../call/provider.ts';
import { ProsePage, type ProseSection } from '../../kit/page/prose-page.tsx';

const SECTIONS: readonly ProseSection[] = [
  {
    heading: 'Cookies that the service needs',
    paragraphs: [
      'We set three kinds of cookies, all ours, and none of them follows you anywhere. One remembers for 180 days that this browser has signed in before, so that nobody can lock you out by guessing your password (device). Two last some minutes: while you connect a broker (connecting) and while you sign a document (signing), so that nobody else can finish it in your place.',
      'We use no trackers and load nothing from other companies.',
    ],
  },
  {
    heading: 'What your browser keeps for us',
    paragraphs: [
      'In its local storage: the two tokens of your session while you are signed in (token, refreshToken), your choice of theme (theme), the range last chosen on each chart, and settings that you make on the account page. Until you close the tab: what you have typed into a form that is not finished. No other site can read any of it.',
    ],
  },
  {
    heading: 'Removing it',
    paragraphs: [
      'Signing out removes the tokens and everything that you typed. Clearing the site’s data in your browser removes everything; you then see the dark theme again and must sign in.',
    ],
  },
];

export function CookiePolicy() {
  return (
    <ProsePage title="Cookie Policy" effective={PROVIDER.relationshipSummaryEffective} sections={SECTIONS} />
  );
}
