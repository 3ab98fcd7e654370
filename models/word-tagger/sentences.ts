// Sentences about strategies, made from the parts that definitions have, each part with what it is: said in the lexicon's words or
// in others, with noise, units, negations and traps. What the tagger learns from; the text is never a person's.
import type { TagClass } from '#rules/strategy-builder/tagger/tag-classes.ts';
import type { Random } from '../random.ts';

/** A piece of a sentence; `is` where it is one of the classes. */
export type Piece = { readonly text: string; readonly is?: TagClass };

/** Words for a class, as they come. */
export type Wording = (is: TagClass) => string;

export function randomSentence(random: Random, word: Wording): readonly Piece[] {
  const writer = new Writer(random, word);
  const [first, ...further] = pick(random, PLANS);
  writer[first]();
  for (const part of further) {
    writer.say(pick(random, [',', '.', ' and', ';', '']));
    writer[part]();
  }
  for (let traps = random.below(4); traps > 0; traps--) writer.trap();
  return writer.pieces;
}

type Part = Exclude<keyof Writer, 'pieces' | 'say' | 'trap'>;

const PLANS: readonly (readonly [Part, ...Part[]])[] = [
  ['entry', 'exit'],
  ['entry', 'exit', 'limit'],
  ['entry', 'limit'],
  ['entry', 'exit', 'schedule'],
  ['during', 'limit'],
  ['during', 'switch'],
  ['during', 'schedule', 'risk'],
  ['during', 'never'],
  ['ranking', 'schedule'],
  ['ranking', 'schedule', 'sizing'],
  ['ranking', 'sizing', 'never'],
  ['style', 'risk'],
  ['style', 'limit'],
  ['style', 'schedule', 'never'],
  ['mix', 'schedule'],
  ['mix', 'during'],
  ['extremes', 'limit'],
  ['extremes', 'risk'],
  ['entry', 'shorts'],
  ['shorts', 'limit'],
  ['pairs', 'limit'],
  ['moves', 'exit'],
  ['moves', 'limit', 'never'],
  ['stretched', 'exit'],
  ['limit', 'entry'],
];

class Writer {
  readonly pieces: Piece[] = [];
  readonly #random: Random;
  readonly #word: Wording;

  constructor(random: Random, word: Wording) {
    this.#random = random;
    this.#word = word;
  }

  say(...texts: readonly string[]): void {
    for (const text of texts) if (text !== '') this.pieces.push({ text });
  }

  #is(...classes: readonly TagClass[]): void {
    for (const is of classes) this.pieces.push({ text: this.#word(is), is });
  }

  #one<Value>(...values: readonly Value[]): Value {
    return pick(this.#random, values);
  }

  #what(): void {
    const kind = this.#random.uniform();
    if (kind < 0.6) this.#instrument();
    else this.#is(this.#one('shares', 'forex', 'crypto', 'futures'));
  }

  /** One in four is of a name that nothing here has. */
  #instrument(): void {
    if (this.#random.uniform() < 0.25) this.#is('none');
    else this.say(this.#one(...INSTRUMENTS));
  }

  #average(): void {
    this.say(this.#one('its', 'the', 'a'));
    const [count, unit] = this.#length();
    this.say(this.#one(`${count}-${unit}`, `${count} ${unit}`));
    this.#is('average');
  }

  #length(): [number, string] {
    return this.#one<[number, string]>(
      [this.#one(5, 10, 20, 50, 100, 200), 'day'],
      [this.#one(4, 10, 20, 40), 'week'],
      [this.#one(3, 6, 10, 12), 'month'],
    );
  }

  #span(): void {
    const is = this.#one('days', 'weeks', 'months');
    this.say(String(this.#one(2, 3, 5, 6, 10, 12, 20)));
    this.#is(is);
  }

  #condition(): void {
    const kind = this.#random.below(5);
    if (kind === 0) {
      this.say(this.#one('it', 'the price', 'it closes', ''));
      this.#is(this.#one('crosses_above', 'crosses_below'));
      this.#average();
    } else if (kind === 1) {
      this.say(this.#one('it is', "it's", 'the price is', 'it trades'));
      this.#is(this.#one('above', 'below'));
      this.#average();
    } else if (kind === 2) {
      this.say(this.#one('RSI', 'its RSI(14)', 'the 2-day RSI'), this.#one('is', 'goes', ''));
      this.#is(this.#one('above', 'below'));
      this.say(String(this.#one(5, 10, 25, 30, 60, 70, 80)));
    } else if (kind === 3) {
      this.say(this.#one('it makes', 'it hits', 'at', 'on'), this.#one('a new', 'its', 'a'));
      this.say(`${this.#length().join('-')}`);
      this.#is(this.#one('high', 'low'));
    } else {
      this.say(this.#one('it', 'the price'));
      this.#is(this.#one('rise', 'fall'));
      this.say(`${this.#one(2, 3, 5, 8, 10)}%`, this.#one('in', 'over'));
      this.#span();
    }
  }

  entry(): void {
    this.#is('buy');
    this.#what();
    this.#is('when');
    this.#condition();
  }

  exit(): void {
    this.say(this.#one('and', ''));
    this.#is('sell');
    this.say(this.#one('it', 'them', ''));
    if (this.#random.uniform() < 0.3) {
      this.say('after');
      this.#span();
    } else {
      this.#is('when');
      this.#condition();
    }
  }

  shorts(): void {
    this.#is('short');
    this.#what();
    this.#is('when');
    this.#condition();
    if (this.#random.uniform() < 0.5) {
      this.say('and');
      this.#is('cover');
      this.say(this.#one('it', ''));
      this.#is('when');
      this.#condition();
    }
  }

  during(): void {
    this.#is('hold');
    this.#what();
    if (this.#random.uniform() < 0.2) {
      this.#is('unless');
      this.#condition();
      return;
    }
    if (this.#random.uniform() < 0.3) this.#is('only');
    this.#is('while');
    this.#condition();
  }

  switch(): void {
    this.#is('otherwise');
    this.say(this.#one('move to', '', 'go'));
    this.#is('cash');
  }

  ranking(): void {
    this.#is(this.#one('hold', 'buy'));
    this.say('the');
    this.#is(this.#one('top', 'top', 'bottom'));
    this.say(String(this.#one(2, 3, 5, 10)), this.#one('of the', ''));
    this.#is(this.#one('shares', 'forex', 'crypto', 'futures'));
    this.say(this.#one('by', 'by their'));
    const kind = this.#random.below(3);
    if (kind === 0) this.#is('volume');
    else if (kind === 1) this.#is('volatility');
    else this.#is('return');
    this.say(this.#one('over the last', 'of the past', 'over'));
    this.#span();
  }

  style(): void {
    this.#is(this.#one('trend_following', 'momentum', 'mean_reversion', 'breakout'));
    this.say(this.#one('on', 'in', 'with', 'for'));
    this.#what();
  }

  mix(): void {
    this.#is(this.#one('hold', 'buy'));
    this.#instrument();
    this.say('and');
    this.#instrument();
    this.say(this.#one(',', 'with', 'in', ''));
    this.#is('equal');
  }

  extremes(): void {
    this.#is('buy');
    this.#what();
    this.say(this.#one('on', 'at'), this.#one('a new', 'the', 'a'), this.#length().join('-'));
    this.#is('high');
    this.say('and');
    this.#is('sell');
    this.say(this.#one('on', 'at'), this.#one('a new', 'the', 'a'), this.#length().join('-'));
    this.#is('low');
  }

  moves(): void {
    this.#is('buy');
    this.#what();
    this.say(this.#one('after it', 'when it', 'once it'));
    this.#is(this.#one('rise', 'fall'));
    this.say(`${this.#one(3, 5, 10)}%`, this.#one('in', 'within'));
    this.#span();
  }

  stretched(): void {
    this.#is('buy');
    this.#what();
    this.#is('when');
    this.say('it is');
    this.#is(this.#one('oversold', 'overbought'));
  }

  pairs(): void {
    this.say(this.#one('trade', 'play', ''));
    this.#instrument();
    this.#is('pair');
    this.#instrument();
  }

  limit(): void {
    const is = this.#one('stop', 'stop', 'target', 'drawdown');
    const percent = `${this.#one(3, 5, 8, 10, 12, 15, 20)}%`;
    if (is === 'drawdown') this.say(this.#one('at most', 'keep the', 'no more than'));
    if (this.#random.uniform() < 0.5) {
      this.#is(is);
      this.say(percent);
    } else {
      this.say(percent);
      this.#is(is);
    }
  }

  schedule(): void {
    this.say(this.#one('checked', 'rebalanced', 'look at it', '', 'review'));
    this.#is(this.#one('daily', 'weekly', 'monthly'));
  }

  risk(): void {
    this.#is(this.#one('low_risk', 'high_risk'));
  }

  sizing(): void {
    this.say(this.#one('sized', 'weighted', '', 'with'));
    this.#is(this.#one('equal', 'inverse', 'conviction'));
  }

  never(): void {
    const kind = this.#random.below(3);
    if (kind === 0) {
      this.#is('not');
      this.#is(this.#one('short', 'buy', 'crypto', 'forex', 'futures'));
    } else if (kind === 1) {
      this.#is('except');
      this.#instrument();
    } else {
      this.#is('only');
      this.#is(this.#one('shares', 'forex', 'crypto', 'futures'));
    }
  }

  /** Words of something else, at any place between two pieces. */
  trap(): void {
    const place = this.#random.below(this.pieces.length + 1);
    this.pieces.splice(place, 0, { text: this.#word('none'), is: 'none' });
  }
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[random.below(values.length)]!;
}

const INSTRUMENTS = [
  'ES',
  'gold',
  'EURUSD',
  'bitcoin',
  'BTCUSD',
  'the market fund',
  'crude oil',
  'the dollar',
];
