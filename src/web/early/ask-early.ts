import type { EarlyAnswers, EarlyRead } from '../call/early-answer.ts';
import { lastingToken } from '../call/lasting-token.ts';

type Page = {
  /** What the document of the page says it will read: `{id}` stands for the one in the page's own address. */
  readonly reads: readonly EarlyRead[];
  readonly pathname: string;
  readonly search: string;
  readonly isSignedIn: boolean;
};

/** Sends the reads of the page, for call/early-answer.ts to hand out. A token that has run out is renewed first. */
export function askEarly({ reads, pathname, search, isSignedIn }: Page): void {
  const [id] = /[0-9a-f-]{36}/.exec(pathname) ?? [];
  const asked = reads
    .filter(({ address }) => isSignedIn || !PERSONAL.test(address))
    // A page with words in its address may ask the same with other words.
    .filter(({ address }) => search === '' || !address.includes('?'))
    .filter(({ address }) => id !== undefined || !address.includes('{id}'))
    .map(({ address, key }) => ({
      address: address.replace('{id}', id ?? ''),
      key: key.map((part) => (part === '{id}' ? id : part)),
    }));
  if (asked.length === 0) return;
  const token = isSignedIn ? lastingToken() : Promise.resolve(null);
  const answers: EarlyAnswers = new Map();
  for (const { address, key } of asked) {
    const answer = token.then((bearer) => {
      if (isSignedIn && bearer === null) throw new Error('The session is over.');
      return fetch(address, {
        priority: 'high',
        headers: { accept: 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
      });
    });
    // Who takes it hears of a failure.
    answer.catch(() => {});
    answers.set(address, { key, answer });
  }
  (globalThis as { earlyAnswers?: EarlyAnswers }).earlyAnswers = answers;
}

/** What only a signed-in person reads. */
const PERSONAL = /^\/api\/(?!strategies\/)/;
