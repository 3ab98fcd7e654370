// The word tagger's training: one rectified hidden layer and a softmax, on cross entropy by AdaGrad (J. Duchi, E. Hazan, Y. Singer,
// JMLR 12, 2011). Inputs are few ones among many zeros, so that a step touches their rows alone. Seeded and in a fixed
// order: the same words give the same bytes.
import { TAG_CLASSES, type TagClass } from '#rules/strategy-builder/tagger/tag-classes.ts';
import { FEATURE_COUNT, tagFeatures } from '#rules/strategy-builder/tagger/tag-features.ts';
import { tokensOf } from '#rules/strategy-builder/reading/lexer.ts';
import type { Vocabulary } from '#rules/strategy-builder/reading/vocabulary.ts';
import type { OnnxGraph } from '../onnx/onnx-file.ts';
import { Random } from '../random.ts';
import { type Piece, randomSentence } from './sentences.ts';
import type { Synonyms } from './synonyms.ts';

export const SETTINGS = {
  seed: 20_261_127,
  sentences: 40_000,
  epochs: 4,
  hidden: 48,
  learningRate: 0.05,
  /** Of the words that are learned: replaced by letters that mean nothing, so that the words around them are learned from. */
  madeUp: 0.15,
  /** Said in the lexicon's words, whose letters misspellings share. */
  fromLexicon: 0.3,
} as const;

export type Example = { readonly features: readonly number[]; readonly is: TagClass };

export type Network = {
  readonly hidden: number;
  readonly weights0: Float64Array;
  readonly biases0: Float64Array;
  readonly weights1: Float64Array;
  readonly biases1: Float64Array;
};

const CLASSES = TAG_CLASSES.map(([is]) => is);

export function trainTagger(vocabulary: Vocabulary, synonyms: Synonyms): Network {
  const random = new Random(SETTINGS.seed);
  const examples: Example[] = [];
  for (let i = 0; i < SETTINGS.sentences; i++)
    examples.push(...examplesOf(randomSentence(random, wording(random, synonyms)), vocabulary));
  const { hidden } = SETTINGS;
  const start = (count: number, inputs: number) =>
    Float64Array.from({ length: count }, () => (random.uniform() - 0.5) * Math.sqrt(6 / inputs));
  const network = {
    hidden,
    weights0: start(FEATURE_COUNT * hidden, 30),
    biases0: new Float64Array(hidden),
    weights1: start(hidden * CLASSES.length, hidden),
    biases1: new Float64Array(CLASSES.length),
  };
  const learn = stepOf(network);
  for (let epoch = 0; epoch < SETTINGS.epochs; epoch++) {
    shuffle(examples, random);
    for (const example of examples) learn(example);
  }
  return network;
}

/** What is to be told of each piece that has a class: its letters and its place. */
export function examplesOf(pieces: readonly Piece[], vocabulary: Vocabulary): Example[] {
  const places: { readonly from: number; readonly to: number; readonly is: TagClass }[] = [];
  let text = '';
  for (const piece of pieces) {
    if (text !== '' && !/^[,.;]/.test(piece.text)) text += ' ';
    if (piece.is !== undefined)
      places.push({ from: text.length, to: text.length + piece.text.length, is: piece.is });
    text += piece.text;
  }
  const tokens = tokensOf(text, 0, vocabulary);
  return places.flatMap(({ from, to, is }) => {
    const inside = tokens.flatMap((token, place) => (token.from >= from && token.to <= to ? [place] : []));
    if (inside.length === 0) return [];
    // As the reader asks: from the first word that is not known to the last.
    const open = inside.filter((place) => tokens[place]!.category === 'unknown');
    const asked = open.length > 0 ? open : inside;
    return [{ features: tagFeatures(tokens, asked[0]!, asked.at(-1)! + 1), is }];
  });
}

function wording(random: Random, { lexicon, learned }: Synonyms) {
  return (is: TagClass): string => {
    const chance = random.uniform();
    if (chance < SETTINGS.madeUp) return madeUp(random);
    const known = lexicon.get(is) ?? [];
    const words =
      chance < SETTINGS.madeUp + SETTINGS.fromLexicon && known.length > 0 ? known : learned.get(is)!;
    return slipped(words[random.below(words.length)]!, random);
  };
}

/** One word in twelve has a slip of the pen. */
export function slipped(text: string, random: Random): string {
  if (text.length < 5 || random.uniform() > 1 / 12) return text;
  const at = 1 + random.below(text.length - 2);
  const kind = random.below(3);
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1);
  if (kind === 1) return text.slice(0, at) + text[at]! + text.slice(at);
  return text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2);
}

function madeUp(random: Random): string {
  const syllable = () => 'bdfgklmnprstvz'[random.below(14)]! + 'aeiou'[random.below(5)]!;
  return Array.from({ length: 2 + random.below(2) }, syllable).join('') + 'nrskt'[random.below(5)]!;
}

function shuffle(examples: Example[], random: Random): void {
  for (let i = examples.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [examples[i], examples[j]] = [examples[j]!, examples[i]!];
  }
}

/** One example's step down its slope; each weight's step shrinks with the slopes it has seen. */
function stepOf({ hidden, weights0, biases0, weights1, biases1 }: Network): (example: Example) => void {
  const classes = CLASSES.length;
  const seen = [weights0, biases0, weights1, biases1].map((one) => new Float64Array(one.length).fill(1e-6));
  const [first, second, blame] = [hidden, classes, hidden].map((length) => new Float64Array(length));
  const move = (which: 0 | 1 | 2 | 3, values: Float64Array, at: number, slope: number) => {
    const sum = seen[which]!;
    sum[at] = sum[at]! + slope * slope;
    values[at] = values[at]! - (SETTINGS.learningRate * slope) / Math.sqrt(sum[at]);
  };
  return ({ features, is }) => {
    first!.set(biases0);
    for (const feature of features)
      for (let h = 0; h < hidden; h++) first![h] = first![h]! + weights0[feature * hidden + h]!;
    second!.set(biases1);
    for (let h = 0; h < hidden; h++) {
      if (first![h]! <= 0) continue;
      for (let c = 0; c < classes; c++) second![c] = second![c]! + first![h]! * weights1[h * classes + c]!;
    }
    const most = second!.reduce((a, b) => Math.max(a, b));
    let sum = 0;
    for (let c = 0; c < classes; c++) sum += second![c] = Math.exp(second![c]! - most);
    for (let c = 0; c < classes; c++) second![c] = second![c]! / sum - (CLASSES[c] === is ? 1 : 0);
    blame!.fill(0);
    for (let h = 0; h < hidden; h++) {
      if (first![h]! <= 0) continue;
      for (let c = 0; c < classes; c++) {
        blame![h] = blame![h]! + second![c]! * weights1[h * classes + c]!;
        move(2, weights1, h * classes + c, second![c]! * first![h]!);
      }
    }
    for (let c = 0; c < classes; c++) move(3, biases1, c, second![c]!);
    for (let h = 0; h < hidden; h++) {
      if (blame![h] === 0) continue;
      move(1, biases0, h, blame![h]!);
      for (const feature of features) move(0, weights0, feature * hidden + h, blame![h]!);
    }
  };
}

export function taggerGraph({ hidden, weights0, biases0, weights1, biases1 }: Network): OnnxGraph {
  const classes = CLASSES.length;
  return {
    name: 'word-tagger',
    width: FEATURE_COUNT,
    outputs: classes,
    nodes: [
      { operator: 'Gemm', inputs: ['features', 'weights0', 'biases0'], output: 'sum0' },
      { operator: 'Relu', inputs: ['sum0'], output: 'hidden0' },
      { operator: 'Gemm', inputs: ['hidden0', 'weights1', 'biases1'], output: 'sum1' },
      { operator: 'Softmax', inputs: ['sum1'], output: 'score' },
    ],
    tensors: [
      { name: 'weights0', shape: [FEATURE_COUNT, hidden], values: weights0 },
      { name: 'biases0', shape: [hidden], values: biases0 },
      { name: 'weights1', shape: [hidden, classes], values: weights1 },
      { name: 'biases1', shape: [classes], values: biases1 },
    ],
  };
}
