// The card of the word tagger: what it learned from, and its errors by class on words that it never saw.
import { TAG_CLASSES, type TagClass } from '#rules/strategy-builder/tagger/tag-classes.ts';
import type { WordTagger } from '#rules/strategy-builder/tagger/word-tagger.ts';
import type { Vocabulary } from '#rules/strategy-builder/reading/vocabulary.ts';
import { OFFERED, offered } from '#rules/strategy-builder/tagger/suggest-answers.ts';
import { Random } from '../random.ts';
import { randomSentence } from './sentences.ts';
import type { Synonyms } from './synonyms.ts';
import { examplesOf, SETTINGS } from './train-tagger.ts';

type Counts = { asked: number; first: number; among: number; silent: number };

export function taggerCard({
  tagger,
  vocabulary,
  synonyms,
  sha256,
  size,
}: {
  tagger: WordTagger;
  vocabulary: Vocabulary;
  synonyms: Synonyms;
  sha256: string;
  size: number;
}): string {
  const counts = judged(tagger, vocabulary, synonyms);
  const rows = [...counts].map(
    ([is, one]) =>
      `| ${is} | ${share(one.first, one)} | ${share(one.among, one)} | ${share(one.silent, one)} | ${one.asked.toLocaleString('en-US')} |`,
  );
  const meaningful = [...counts].filter(([is]) => is !== 'none').map(([, one]) => one);
  const total = sumOf(meaningful);
  const none = counts.get('none')!;
  const words = [...synonyms.learned.values()].flat().length;
  const heldOut = [...synonyms.heldOut.values()].flat().length;
  return `# The word tagger of the builder

Offers what a word may mean that the builder's lexicon does not have. It decides nothing: what it offers is pressed by a person, after the grammar
has read the description with it and has no question about those words any more.

- **Sees** the letters of the words (${'groups of three and four, and whole words'}, hashed) and what the grammar knows of the three places on either side.
- **Says** one of ${TAG_CLASSES.length - 1} classes of the lexicon, or that it is none of them. At most ${OFFERED.most} are offered: the first with a probability of at least ${OFFERED.first * 100}%, further ones of at least ${OFFERED.further * 100}%.
- **Learned from** ${SETTINGS.sentences.toLocaleString('en-US')} sentences made from the parts of definitions, in the words of the lexicon, in ${words.toLocaleString('en-US')} others of \`synonyms.txt\`, and in words that mean nothing; with slips of the
  pen, negations and traps. No sentence of a person.
- **File** \`word-tagger.onnx\`, ${(size / 1_000).toFixed(0)} kB, SHA-256 \`${sha256}\`. \`npm run train-tagger -- --check\` makes the same bytes.

## Errors by class

On new sentences with ${heldOut} words that were never learned from. First: the most probable class is right. Offered: the right one is among those that are
offered. Nothing: no class is probable enough, so that it is asked in plain words, as without the tagger.

| class | first | offered | nothing | asked |
|---|---|---|---|---|
${rows.join('\n')}
| all with a meaning | ${share(total.first, total)} | ${share(total.among, total)} | ${share(total.silent, total)} | ${total.asked.toLocaleString('en-US')} |

Words of none of the classes are offered a meaning in ${share(none.asked - none.silent, none)} of their cases.

## Known weaknesses

- All words are of one author, who also wrote the lexicon. Other people's words will be offered less often rightly.
- A word that it never saw and that shares no letters with one is judged by its place alone: where a buy can stand, a sale can stand too, and both are offered.
- It knows English only.
`;
}

function judged(
  tagger: WordTagger,
  vocabulary: Vocabulary,
  { heldOut, learned }: Synonyms,
): ReadonlyMap<TagClass, Counts> {
  const random = new Random(SETTINGS.seed + 1);
  const counts = new Map<TagClass, Counts>(
    TAG_CLASSES.map(([is]) => [is, { asked: 0, first: 0, among: 0, silent: 0 }]),
  );
  const word = (is: TagClass) => {
    const words = heldOut.get(is)!.length > 0 ? heldOut.get(is)! : learned.get(is)!;
    return words[random.below(words.length)]!;
  };
  for (let i = 0; i < 4_000; i++) {
    for (const { features, is } of examplesOf(randomSentence(random, word), vocabulary)) {
      const tags = tagger(features);
      const shown = offered(tags);
      const one = counts.get(is)!;
      one.asked += 1;
      if (tags[0]!.is === is) one.first += 1;
      if (shown.some((tag) => tag.is === is)) one.among += 1;
      if (shown.length === 0) one.silent += 1;
    }
  }
  return counts;
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = { asked: 0, first: 0, among: 0, silent: 0 };
  for (const one of all) for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += one[key];
  return sum;
}

function share(part: number, { asked }: Counts): string {
  return asked === 0 ? '-' : `${Math.round((100 * part) / asked)}%`;
}
