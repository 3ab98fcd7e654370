// The fonts that every PDF reader has know only the characters of Windows code page 1252.

/** The text with every other character replaced by its plain letter, or by a question mark. */
export function printable(text: string): string {
  return Array.from(text, (character) => (isDrawable(character) ? character : plain(character))).join('');
}

/** Whether `printable` leaves the text as it is. */
export function isPrintable(text: string): boolean {
  return printable(text) === text;
}

function plain(character: string): string {
  const letters = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return letters !== '' && Array.from(letters).every(isDrawable) ? letters : '?';
}

function isDrawable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    character === '\n' ||
    (code >= 0x20 && code < 0x7f) ||
    (code >= 0xa0 && code <= 0xff) ||
    EXTRA.includes(character)
  );
}

const EXTRA = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
