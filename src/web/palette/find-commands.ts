// What the palette offers and how a few letters find it.

export type Command = {
  readonly id: string;
  readonly label: string;
  /** Beside the label: what it is, or its state. */
  readonly hint: string;
  /** Words that find it and are not shown. */
  readonly words?: string;
};

const SHOWN_MAX = 12;

/**
 * In order of how well they match, else in the given order; all letters of each typed word must occur in their order. Without
 * a query the first ones.
 */
export function findCommands<Item extends Command>(
  commands: readonly Item[],
  query: string,
): readonly Item[] {
  const typed = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (typed.length === 0) return commands.slice(0, SHOWN_MAX);
  return commands
    .map((command) => ({ command, score: scoreOf(command, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ command }) => command);
}

/** 0 when a word is not found. The start of the label counts most, then the start of a word, then letters inside. */
function scoreOf({ label, hint, words = '' }: Command, typed: readonly string[]): number {
  const name = label.toLowerCase();
  const rest = `${hint} ${words}`.toLowerCase();
  let total = 0;
  for (const word of typed) {
    const score = Math.max(wordScore(name, word), wordScore(rest, word) / 2);
    if (score === 0) return 0;
    total += score;
  }
  return total;
}

function wordScore(text: string, word: string): number {
  if (text.startsWith(word)) return 8;
  if (text.includes(` ${word}`)) return 6;
  if (text.includes(word)) return 4;
  return hasInOrder(text, word) ? 1 : 0;
}

function hasInOrder(text: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}
