// A vendor's words as a person may read them: plain, short, and nothing of how the vendor's systems are built.

/** Empty where the text is not meant for people. It decides nothing: only what is quoted. */
export function plainText(text: string): string {
  const bare = withoutMarkup(text);
  if (TECHNICAL.some((pattern) => pattern.test(bare)) || !/\p{L}/u.test(bare)) return '';
  return bare.length <= LENGTH_MAX ? bare : `${bare.slice(0, LENGTH_MAX - 1).trimEnd()}…`;
}

/** On one line, with entities as the signs they stand for. */
export function withoutMarkup(text: string): string {
  // An entity may hide a tag.
  return withoutTags(decoded(withoutTags(text)))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function withoutTags(text: string): string {
  return text.replaceAll(/<(style|script)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ').replaceAll(/<[^>]*(>|$)/g, ' ');
}

function decoded(text: string): string {
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8});?/gi, (whole, name: string) => {
    const named = ENTITIES[name.toLowerCase()];
    if (named !== undefined) return named;
    if (!name.startsWith('#')) return ' ';
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code >= 32 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole.replaceAll(/[&#;]/g, ' ');
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** JSON and code, status lines, names of errors and fields, ids of requests, stack traces. */
const TECHNICAL: readonly RegExp[] = [
  /[{}<>\\]|"\s*:/,
  /http|\bstatus(Code)?\s*[:=]?\s*\d{3}\b/i,
  /\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|\bE[A-Z]{5,}\b/,
  /\b[a-z]+_[a-z_]+\b|\b\w*(Exception|Error)\b:?\s+at\b|\b\w+Exception\b/,
  /\breply id\b|\bundefined\b|\bnull\b|\bNaN\b/i,
  /\b[\da-f]{8}-[\da-f]{4}-|\b[\da-f]{16,}\b/i,
];
const LENGTH_MAX = 240;
