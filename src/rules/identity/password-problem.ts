// Which new passwords are refused because guessers try them first. Returns the sentence for the person: why, and what would do.

export type NewPassword = {
  readonly password: string;
  readonly email: string;
  readonly name: string;
  readonly isStaff: boolean;
};

export const PASSWORD_LENGTH_MIN = 8;
export const STAFF_PASSWORD_LENGTH_MIN = 12;

/** `isCommon` takes lower case. Null: nothing speaks against the password. */
export function passwordProblem(
  { password, email, name, isStaff }: NewPassword,
  isCommon: (word: string) => boolean,
): string | null {
  const least = isStaff ? STAFF_PASSWORD_LENGTH_MIN : PASSWORD_LENGTH_MIN;
  const written = password.normalize('NFKC').toLowerCase();
  if (password.length < least)
    return `${isStaff ? 'The password of staff' : 'The password'} needs at least ${least} characters. ${ADVICE}`;
  if (new Set(written).size < DISTINCT_MIN)
    return `This password repeats a few characters, and guessers try that first. ${ADVICE}`;
  if (spellings(written).some(isCommon))
    return `This is one of the most common passwords, and guessers try those first. ${ADVICE}`;
  const personal = [...email.toLowerCase().split(/[^\p{L}\p{N}]+/u), ...name.toLowerCase().split(/\s+/u)];
  if (isMadeOf(written, PRODUCT_WORDS))
    return `This password is made of words of this product, and guessers try those first. ${ADVICE}`;
  if (isMadeOf(written, [...PRODUCT_WORDS, ...personal]))
    return `This password is made of your name or e-mail, and guessers try those first. ${ADVICE}`;
  return null;
}

const ADVICE =
  'Three or four words that have nothing to do with each other are easy to remember and hard to guess.';
const DISTINCT_MIN = 5;
/** More than the year or the few signs that people add to a word. */
const ADDED_MAX = 5;
/** What must be left of a password without the words that anybody knows. */
const OWN_CHARACTERS_MIN = 4;
const WORD_LENGTH_MIN = 3;

const PRODUCT_WORDS = [
  'bellwether',
  'marketplace',
  'investment',
  'investor',
  'invest',
  'strategy',
  'strategies',
  'deployment',
  'brokerage',
  'broker',
  'trading',
  'trader',
  'trade',
  'password',
  'welcome',
  'account',
  'login',
  'admin',
  'support',
  'provider',
];

/** As written, without what was added before and after a word, and with the letters that digits stand for. */
function spellings(written: string): string[] {
  return [written, readSubstitutes(written)].flatMap((text) => {
    const word = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    return text.length - word.length <= ADDED_MAX && word.length >= WORD_LENGTH_MIN ? [text, word] : [text];
  });
}

function readSubstitutes(text: string): string {
  return text.replaceAll(/[@4310$57]/g, (sign) => SUBSTITUTES[sign] ?? sign);
}

const SUBSTITUTES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** Whether nothing of one's own is left without these words, digits and signs. */
function isMadeOf(written: string, words: readonly string[]): boolean {
  const known = words
    .filter((word) => word.length >= WORD_LENGTH_MIN)
    .toSorted((a, b) => b.length - a.length);
  return [written, readSubstitutes(written)].some((text) => {
    if (!known.some((word) => text.includes(word))) return false;
    const rest = known.reduce((left, word) => left.replaceAll(word, ' '), text);
    return rest.replaceAll(/[^\p{L}]/gu, '').length < OWN_CHARACTERS_MIN;
  });
}
