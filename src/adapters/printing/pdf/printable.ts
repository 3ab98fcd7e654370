// The fonts built into every PDF reader cover only the characters of Windows code page 1252.

/** The text with every character outside that set replaced by its base letter or a question mark. */
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
