// Walks one message from left to right and notes what each phrase says. A word that no phrase takes is noted as unread.
import { inReadingOrder } from './word-order.ts';
import type { ConditionPlace, Role } from './comparisons.ts';
import { conditionAt } from './conditions.ts';
import { negationAt, namesFrom } from './negations.ts';
import { openWord } from './open-word.ts';
import { phraseAt } from './phrases.ts';
import { rankingAt, hasRanking } from './rankings.ts';
import type { Said } from './said.ts';
import { COIN_DAYS, DAYS, NEGATIONS, type Term, termAt, type Test, turnedAt } from './terms.ts';
import { type Span, spanOf, type Token } from './token.ts';

type Context = { readonly isCrypto: boolean; readonly marketFund: string | undefined };

export function walk(message: readonly Token[], said: Said, context: Context): void {
  const words = message.filter(({ category }) => category !== 'glue');
  new Walk(inReadingOrder(words), said, context).run();
}

class Walk {
  readonly #tokens: readonly Token[];
  readonly #said: Said;
  readonly #context: Context;
  readonly #lengths: { [indicator: string]: number } = {};
  #role: Role = 'enterLong';
  #connector: 'when' | 'while' = 'when';
  #join: 'and' | 'or' = 'and';
  #last: readonly Test[] = [];
  #isShort = false;
  #leaning: { readonly term: Term; readonly span: Span } | null = null;
  /** An action that has to lead to something. */
  #pending: { readonly span: Span; readonly noted: number } | null = null;
  #at = 0;
  /** Where the last condition ended, and with what. */
  #ended: { readonly at: number; readonly right: Term } | null = null;

  constructor(tokens: readonly Token[], said: Said, context: Context) {
    this.#tokens = tokens;
    this.#said = said;
    this.#context = context;
  }

  run(): void {
    while (this.#at < this.#tokens.length) {
      const next = this.#step();
      this.#at = Math.max(next, this.#at + 1);
    }
    this.#settle();
    if (this.#leaning !== null) this.#said.unread.push(this.#leaning.span);
  }

  /** A sale or a short sale about which nothing was said must not be lost. */
  #settle(): void {
    if (this.#pending !== null && this.#pending.noted === this.#noted())
      this.#said.unread.push(this.#pending.span);
    this.#pending = null;
  }

  #noted(): number {
    const { tests, links, questions, refusals, unread, instruments, kinds } = this.#said;
    return (
      tests.length +
      links.length +
      questions.length +
      refusals.length +
      unread.length -
      instruments.length -
      kinds.length
    );
  }

  #step(): number {
    const at = this.#at;
    const { category } = this.#tokens[at]!;
    if (category === 'end') return this.#endSentence();
    if (category === 'comma') {
      this.#join = 'and';
      return at + 1;
    }
    return (
      negationAt(this.#tokens, at, this.#said) ??
      this.#weight() ??
      this.#ranking() ??
      this.#phrase() ??
      this.#otherwise() ??
      this.#action() ??
      this.#connect() ??
      this.#condition(null) ??
      this.#name() ??
      this.#rest()
    );
  }

  #endSentence(): number {
    this.#settle();
    this.#role = this.#isShort ? 'enterShort' : 'enterLong';
    this.#connector = 'when';
    this.#join = 'and';
    return this.#at + 1;
  }

  #place(subject: string | null): ConditionPlace {
    const daysOf = this.#context.isCrypto ? COIN_DAYS : DAYS;
    const chained = this.#ended?.at === this.#at ? this.#ended.right : null;
    const said = this.#last.length > 0 ? this.#last : (this.#said.tests.at(-1)?.tests ?? []);
    return {
      daysOf,
      lengths: this.#lengths,
      role: this.#role,
      last: said,
      subject,
      leaning: this.#leaning?.term ?? null,
      chained,
    };
  }

  #span(from: number, next: number): Span {
    return spanOf(this.#tokens.slice(from, next));
  }

  #phrase(): number | null {
    const at = this.#at;
    const sells = this.#role === 'exitLong' || this.#role === 'exitShort';
    const isPair = this.#said.get('pair') === true;
    const isOptions = this.#said.get('options') !== undefined;
    const phrase = phraseAt(this.#tokens, at, { ...this.#place(null), sells, isPair, isOptions });
    if (phrase === null) return null;
    for (const slot of phrase.fills) {
      this.#said.note(slot, this.#span(at, phrase.next));
      if (slot.slot === 'direction' && slot.value === 'short') this.#turnShort();
    }
    return phrase.next;
  }

  #turnShort(): void {
    this.#isShort = true;
    this.#role = 'enterShort';
  }

  #ranking(): number | null {
    if (!hasRanking(this.#tokens)) return null;
    return rankingAt(this.#tokens, this.#at, { said: this.#said, place: this.#place(null) });
  }

  /** "60% SPY", "SPY 60%", "60/40", "a third each". */
  #weight(): number | null {
    const at = this.#at;
    const [one, two, three] = [this.#tokens[at], this.#tokens[at + 1], this.#tokens[at + 2]];
    const isShare = (token: Token | undefined) => token?.form === 'percent' || token?.form === 'fraction';
    if (
      one?.category === 'number' &&
      two?.value === '/' &&
      three?.category === 'number' &&
      (one.number ?? 0) + (three.number ?? 0) === 100
    ) {
      this.#said.ratio = { parts: [one.number!, three.number!], span: this.#span(at, at + 3) };
      this.#said.link(this.#span(at, at + 3), 'weighting');
      return at + 3;
    }
    if (isShare(one) && two?.value === 'each') {
      this.#said.note({ slot: 'each', value: one!.number! }, this.#span(at, at + 2));
      return at + 2;
    }
    const isHalves = one?.form === 'fraction' && two?.category === 'and' && three?.form === 'fraction';
    if (isHalves && this.#tokens[at + 3]?.category !== 'instrument') {
      this.#said.note({ slot: 'sizing', value: 'equal' }, this.#span(at, at + 3));
      return at + 3;
    }
    const name = two?.category === 'period' ? three : two;
    const next = two?.category === 'period' ? at + 3 : at + 2;
    if (isShare(one) && name?.category === 'instrument') return this.#weigh(name, one!, next);
    const ends = ['comma', 'and', 'end'].includes(three?.category ?? 'end');
    return one?.category === 'instrument' && two?.form === 'percent' && ends
      ? this.#weigh(one, two, at + 2)
      : null;
  }

  #weigh(name: Token, share: Token, next: number): number {
    const span = this.#span(this.#at, next);
    this.#said.weights.push({ symbols: name.symbols ?? [], percent: share.number!, spans: [span] });
    this.#said.link(span, 'weighting');
    this.#mention(name, span);
    return next;
  }

  /** "otherwise short it", "otherwise cash". */
  #otherwise(): number | null {
    const at = this.#at;
    const next = this.#tokens[at + 1];
    if (
      next?.category === 'otherwise' &&
      this.#tokens[at]?.category === 'action' &&
      ['cash', 'sell'].includes(this.#tokens[at]!.value)
    ) {
      this.#connector = 'while';
      const tests = this.#place(null).last.map((test) => turnedAt(test, [this.#span(at, at + 2)]));
      this.#addTests({ role: 'exitLong', tests });
      return at + 2;
    }
    if (this.#tokens[at]?.category !== 'otherwise') return null;
    if (next?.category === 'action' && next.value === 'short') {
      const tests = this.#place(null).last;
      const span = this.#span(at, at + 2);
      this.#addTests({ role: 'enterShort', tests: tests.map((test) => turnedAt(test, [span])) });
      this.#addTests({ role: 'exitShort', tests: tests.map((test) => ({ ...test, spans: [span] })) });
      return at + 2;
    }
    const isOut = next?.category === 'action' && (next.value === 'cash' || next.value === 'sell');
    if (!isOut) return null;
    this.#connector = 'while';
    this.#addTests({
      role: 'exitLong',
      tests: this.#place(null).last.map((test) => turnedAt(test, [this.#span(at, at + 2)])),
    });
    return at + 2;
  }

  #action(): number | null {
    const at = this.#at;
    const token = this.#tokens[at]!;
    if (token.category !== 'action') return null;
    const span = this.#span(at, at + 1);
    this.#join = 'and';
    this.#settle();
    const isEntry =
      token.value !== 'cash' && token.value !== 'sell' && token.value !== 'cover' && token.value !== 'short';
    if (!isEntry) this.#pending = { span, noted: this.#noted() };
    if (token.value === 'cash' || token.value === 'sell') {
      this.#role = token.value === 'cash' ? 'cash' : this.#role === 'enterShort' ? 'exitShort' : 'exitLong';
      if (this.#isShort && token.value === 'sell') this.#role = 'exitShort';
      this.#connector = 'when';
    } else if (token.value === 'cover') this.#role = 'exitShort';
    else if (token.value === 'short') {
      this.#role = 'enterShort';
      this.#connector = 'when';
    } else {
      this.#role = 'enterLong';
      this.#connector = token.value === 'hold' ? 'while' : 'when';
      if (token.value === 'hold') this.#said.note({ slot: 'hold', value: true }, span);
    }
    return at + 1;
  }

  #connect(): number | null {
    const at = this.#at;
    const token = this.#tokens[at]!;
    if (token.category === 'or' || token.category === 'and') {
      this.#join = token.category;
      return at + 1;
    }
    if (token.category !== 'when' && token.category !== 'unless') return null;
    const subject = this.#subjectAt(at + 1);
    if (token.value === 'while') this.#connector = 'while';
    const from = this.#at;
    if (subject !== null) {
      this.#at = at + 2;
      const next = this.#condition(subject, token.category === 'unless');
      this.#at = from;
      if (next !== null) return next;
    }
    if (token.category === 'unless') {
      this.#at = at + 1;
      const next = this.#condition(null, true);
      this.#at = from;
      if (next !== null) return next;
      this.#said.refuse('What follows “unless” is not understood, so nothing is built.', [
        this.#restOfClause(at),
      ]);
      return this.#endOfClause(at);
    }
    const after = this.#tokens[at + 1]?.category ?? 'end';
    const { last } = this.#place(null);
    if (
      (after === 'end' || after === 'comma') &&
      last.length > 0 &&
      /^(?:when|if|once|whenever)$/i.test(token.text)
    ) {
      this.#addTests({
        role: this.#role,
        tests: last.map((test) => ({ ...test, spans: [this.#span(at, at + 1)] })),
      });
    }
    return at + 1;
  }

  /** The instrument that a condition is about, where it is named before it. */
  #subjectAt(at: number): string | null {
    const token = this.#tokens[at];
    const place = this.#place(null);
    if (conditionAt(this.#tokens, at + 1, { ...place, subject: 'X' }) === null) return null;
    if (token?.category === 'instrument') return token.symbols?.length === 1 ? token.symbols[0]! : null;
    return token?.category === 'kind' && token.value === 'shares' ? (this.#context.marketFund ?? null) : null;
  }

  #condition(subject: string | null, isNegated = false): number | null {
    const at = this.#at;
    const found = conditionAt(this.#tokens, at, this.#place(subject));
    if (found === null) return this.#measure();
    if (this.#leaning !== null) this.#said.link(this.#leaning.span, 'rule');
    this.#leaning = null;
    const span = this.#span(subject === null ? at : at - 1, found.next);
    if (found.since?.stopPercent !== undefined)
      this.#said.note({ slot: 'stopPercent', value: found.since.stopPercent }, span);
    if (found.since?.targetPercent !== undefined)
      this.#said.note({ slot: 'targetPercent', value: found.since.targetPercent }, span);
    if (found.tests.length === 0) return found.next;
    const tests = found.tests.map((test) => ({ ...test, spans: [span] }));
    this.#last = tests;
    const right = tests.at(-1)!.right;
    this.#ended = typeof right === 'object' ? { at: found.next, right } : null;
    const role = this.#role;
    this.#addTests({
      role,
      tests: isNegated ? tests.map((test) => ({ ...test, op: NEGATIONS[test.op] })) : tests,
      any: found.any === true,
    });
    return found.next;
  }

  /** "Stochastic on USDCHF: buy under 20": a measure by itself is what the next numbers are about. */
  #measure(): number | null {
    const at = this.#at;
    const term = termAt(this.#tokens, at, this.#place(null));
    if (
      term === null ||
      typeof term.value !== 'object' ||
      !['rsi', 'stochastic', 'adx', 'zscore'].includes(term.value.indicator)
    )
      return null;
    if (this.#leaning !== null) this.#said.unread.push(this.#leaning.span);
    this.#leaning = { term: term.value, span: this.#span(at, term.next) };
    return term.next;
  }

  #addTests({
    role,
    tests,
    any = false,
  }: {
    readonly role: Role;
    readonly tests: readonly Test[];
    readonly any?: boolean;
  }): void {
    const message = this.#tokens[this.#at]!.message;
    this.#said.tests.push({ role, tests, any, join: this.#join, connector: this.#connector, message });
    this.#join = 'and';
  }

  #name(): number | null {
    const at = this.#at;
    const token = this.#tokens[at]!;
    if (token.category !== 'instrument' && token.category !== 'kind') return null;
    for (const one of namesFrom(this.#tokens, at, at + 1)) this.#mention(one, spanOf([one]));
    return at + 1;
  }

  #mention(token: Token, span: Span): void {
    const { message } = token;
    if (token.category === 'kind') this.#said.kinds.push({ kind: token.value, span, isNot: false, message });
    else this.#said.instruments.push({ symbols: token.symbols ?? [], token, span, isNot: false, message });
    this.#said.link(span, 'universe');
  }

  #rest(): number {
    const at = this.#at;
    const token = this.#tokens[at]!;
    const span = this.#span(at, at + 1);
    const open = openWord(this.#tokens, at);
    if (open !== null) this.#said.ask({ topic: 'words', spans: [span], ...open });
    else if (!this.#isPassed(token)) this.#said.unread.push(span);
    return at + 1;
  }

  /** Words that only join, or belong to what is said elsewhere. */
  #isPassed({ category, value, text }: Token): boolean {
    if (PASSED.has(category) || (category === 'size' && value === 'money')) return true;
    if (category === 'number') return /^one$/i.test(text);
    if (category !== 'mark') return false;
    if (value === 'protect' || value === 'roll' || value === 'write')
      return this.#tokens.some((token) => token.category === 'option');
    const after = this.#tokens[this.#at + 1]?.category;
    if (value === 'each') return after === 'kind' || after === 'instrument';
    return value === 'back' || (value === 'rest' && this.#said.get('gross') !== undefined);
  }

  #endOfClause(at: number): number {
    const end = this.#tokens.findIndex(
      ({ category }, place) => place > at && (category === 'end' || category === 'comma'),
    );
    return end < 0 ? this.#tokens.length : end;
  }

  #restOfClause(at: number): Span {
    return this.#span(at, this.#endOfClause(at));
  }
}

/** They only join. */
const PASSED = new Set(['period', 'only', 'when', 'and', 'or', 'change', 'price']);
