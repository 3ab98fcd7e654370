// The words of each class: those of the lexicon, those that are learned, and those kept apart to count errors on.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LEXICON } from '#rules/strategy-builder/reading/lexicon.ts';
import { TAG_CLASSES, type TagClass } from '#rules/strategy-builder/tagger/tag-classes.ts';

type Words = ReadonlyMap<TagClass, readonly string[]>;

export type Synonyms = { readonly lexicon: Words; readonly learned: Words; readonly heldOut: Words };

const EVERY = 4;

export function readSynonyms(): Synonyms {
  const text = readFileSync(path.join(import.meta.dirname, 'synonyms.txt'), 'utf8');
  const [lexicon, learned, heldOut] = [new Map(), new Map(), new Map()] as [
    Map<TagClass, string[]>,
    Map<TagClass, string[]>,
    Map<TagClass, string[]>,
  ];
  for (const line of text.split('\n')) {
    const [, name, list] = /^(\w+): (.+)$/.exec(line) ?? [];
    if (name === undefined || list === undefined) continue;
    const is = TAG_CLASSES.find(([one]) => one === name)?.[0];
    if (is === undefined) throw new Error(`synonyms.txt names ${name}, which is no class`);
    const words = [...new Set([...list.split(', '), ...(is === 'none' ? otherWords() : [])])];
    learned.set(
      is,
      words.filter((_, place) => place % EVERY !== EVERY - 1),
    );
    heldOut.set(
      is,
      words.filter((_, place) => place % EVERY === EVERY - 1),
    );
  }
  for (const [is, says] of TAG_CLASSES) {
    if (!learned.has(is)) throw new Error(`synonyms.txt has no line for ${is}`);
    const row = LEXICON.find(([, , phrases]) => phrases.split(', ').includes(says));
    lexicon.set(is, row?.[2].split(', ') ?? []);
  }
  return { lexicon, learned, heldOut };
}

function otherWords(): readonly string[] {
  const text = readFileSync(path.join(import.meta.dirname, 'other-words.txt'), 'utf8');
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
    .filter((word) => word !== '');
}
