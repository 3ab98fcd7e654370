// From what was said to the rule of a definition: conditions by role, a ranking or a pair, with what was left out filled in
// where the field has one answer, and asked back where it has several.
import {
  endChoices,
  FEATURE_NAMES,
  type Group,
  impossible,
  isSame,
  joined,
  withoutTwins,
} from './rule-parts.ts';
import type { Condition, Feature, Rule } from '#engine/strategy/definition.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Role } from './comparisons.ts';
import { hasOpposite, oppositeOf } from './conditions.ts';
import type { Assumed, Said } from './said.ts';
import { COIN_DAYS, DAYS, donchian, type Term, type Test } from './terms.ts';
import type { Span } from './token.ts';
import type { Universe } from './universe.ts';

type Roles = { [Name in Exclude<Role, 'cash'>]: Group[] };

export class RuleWriter {
  readonly features: { [name: string]: Feature } = {};
  readonly assumed: Assumed[] = [];
  /** Spans by the feature that they made. */
  readonly made = new Map<string, readonly Span[]>();
  readonly #said: Said;
  readonly #universe: Universe;

  constructor(said: Said, universe: Universe) {
    this.#said = said;
    this.#universe = universe;
  }

  /** Null where something has to be asked first. */
  write(): Rule | null {
    const roles = this.#roles();
    if (this.#said.get('pair')) return this.#pair();
    if (this.#said.rank !== null) return this.#ranking(roles);
    return this.#signals(roles);
  }

  #roles(): Roles {
    const roles: Roles = { enterLong: [], exitLong: [], enterShort: [], exitShort: [] };
    for (const { role, tests, any, join, connector, message } of this.#said.tests) {
      const own = tests.map((test) => this.#own(test));
      if (role !== 'cash') {
        roles[role].push({ tests: own, any, join });
        this.#link(own, `rule.${role}`);
        if (connector === 'while' && role === 'enterLong' && !own.every(hasOpposite))
          roles.exitLong.push({ tests: own.map(oppositeOf), any: true, join: 'or' });
        continue;
      }
      roles.exitLong.push({ tests: own, any, join: 'or' });
      roles.enterLong.push({ tests: own.map(oppositeOf), any: false, join: 'and' });
      this.#link(own, 'rule.exitLong');
      void message;
    }
    return roles;
  }

  /** A condition about the one instrument that is traded is about itself. */
  #own(test: Test): Test {
    const [only, more] = this.#universe.symbols;
    const plain = (term: Term): Term => {
      if (typeof term !== 'object' || term.symbol !== only || more !== undefined) return term;
      const { symbol: _, ...own } = term;
      return own.indicator === 'sma' && own.length === 1 ? (own.of ?? 'close') : (own as Feature);
    };
    return { ...test, left: plain(test.left), right: plain(test.right) };
  }

  #link(tests: readonly Test[], part: string): void {
    for (const { spans } of tests) for (const span of spans) this.#said.link(span, part);
  }

  #signals(roles: Roles): Rule | null {
    const said = this.#said;
    this.#contradictions(roles);
    const noEntry = roles.enterLong.length === 0 && roles.enterShort.length === 0;
    if (noEntry && !this.#template(roles)) return this.#always(roles);
    const direction = said.get('direction');
    if (direction === 'long_short' && roles.enterShort.length === 0) {
      roles.enterShort.push(
        ...roles.enterLong.map((group) => ({ ...group, tests: group.tests.map(oppositeOf) })),
      );
      this.#assume('rule.enterShort', 'Sells short where it would be the other way round');
    }
    if (direction === 'short' && roles.enterShort.length === 0)
      roles.enterShort.push(...roles.enterLong.splice(0));
    if (!this.#end(roles, 'enterLong', 'exitLong') || !this.#end(roles, 'enterShort', 'exitShort'))
      return null;
    const rule: { type: 'signals' } & { [Name in keyof Roles]?: Condition } = { type: 'signals' };
    for (const role of ['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const) {
      const condition = this.#condition(roles[role]);
      if (condition !== null) rule[role] = condition;
    }
    return rule as Rule;
  }

  #contradictions(roles: Roles): void {
    for (const [enter, exit] of [
      ['enterLong', 'exitLong'],
      ['enterShort', 'exitShort'],
      ['enterLong', 'enterShort'],
    ] as const) {
      for (const one of roles[enter].flatMap(({ tests }) => tests)) {
        const same = roles[exit].flatMap(({ tests }) => tests).find((other) => isSame(one, other));
        if (same !== undefined)
          this.#said.refuse(
            'These two contradict each other: it would enter and leave for the same reason.',
            [...one.spans, ...same.spans],
          );
      }
    }
    for (const role of ['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const) {
      const clash = impossible(roles[role]);
      if (clash !== null) this.#said.refuse('These can never both hold.', clash);
    }
    const shorts = this.#said.tests.find(({ role }) => role === 'enterShort');
    const long = this.#said.spanOf('direction');
    if (this.#said.get('direction') === 'long' && shorts !== undefined && long !== undefined)
      this.#said.refuse('These two contradict each other: it sells short and must not.', [
        long,
        ...shorts.tests.flatMap(({ spans }) => spans),
      ]);
  }

  /** How a position ends where nothing says so. */
  #end(roles: Roles, enter: 'enterLong' | 'enterShort', exit: 'exitLong' | 'exitShort'): boolean {
    const said = this.#said;
    if (roles[enter].length === 0) return true;
    const ends =
      roles[exit].length > 0 || said.get('maxBars') !== undefined || said.get('targetPercent') !== undefined;
    if (ends) return true;
    const tests = roles[enter].flatMap((group) => group.tests);
    if (tests.every(hasOpposite)) {
      roles[exit].push({ tests: tests.map(oppositeOf), any: true, join: 'or' });
      this.#assume(`rule.${exit}`, 'Ends when the reason to enter turns round');
      return true;
    }
    said.ask({
      topic: 'sell',
      spans: tests.flatMap(({ spans }) => spans),
      sentence: enter === 'enterLong' ? 'When does it sell again?' : 'When does it buy back?',
      choices: endChoices(tests[0]!, enter),
    });
    return false;
  }

  #always(roles: Roles): Rule | null {
    const said = this.#said;
    const isOptions = said.get('options') !== undefined;
    const isMixed =
      this.#universe.isNamed && (said.get('sizing') !== undefined || said.get('each') !== undefined);
    const isHeld = said.get('hold') || said.weights.length > 0 || said.ratio !== null || isOptions || isMixed;
    if (isMixed && !said.get('hold')) this.#assume('rule.enterLong', 'Held all the time');
    const ends =
      roles.exitLong.length > 0 ||
      [said.get('stopPercent'), said.get('targetPercent'), said.get('maxBars')].some(
        (value) => value !== undefined && value !== 'none',
      );
    if (!isHeld || ends || said.get('direction') === 'short') {
      said.ask({
        topic: 'how',
        spans: [],
        sentence: ends ? 'When does it buy?' : 'By what rule does it buy and sell?',
        choices: [
          {
            label: 'While it is above its 200-day average',
            says: 'Buy it while it is above its 200-day average.',
          },
          {
            label: 'On a 55-day high, until a 20-day low',
            says: 'Buy on a 55-day high and sell at a 20-day low.',
          },
          ...(ends ? [] : [{ label: 'Always: buy and hold', says: 'Buy and hold.' }]),
        ],
      });
      return null;
    }
    return {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 0 },
      exitLong: { op: 'below', left: 'close', right: 0 },
    };
  }

  /** A style without rules of its own has the rules of the textbook. */
  #template(roles: Roles): boolean {
    const style = this.#said.get('style');
    const isCrypto = this.#universe.kind === 'crypto';
    const spans = [this.#said.spanOf('style')!];
    const set = (enter: Omit<Test, 'spans'>, exit: Omit<Test, 'spans'>, text: string): true => {
      roles.enterLong.push({ tests: [{ ...enter, spans }], any: false, join: 'and' });
      if (roles.exitLong.length === 0 && this.#said.get('maxBars') === undefined)
        roles.exitLong.push({ tests: [{ ...exit, spans }], any: false, join: 'and' });
      this.#assume('rule.enterLong', text);
      for (const part of ['rule.enterLong', 'rule.exitLong']) this.#said.link(spans[0]!, part);
      return true;
    };
    if (style === 'trend_following') {
      const right = {
        indicator: 'sma',
        length: this.#said.get('trendBars') ?? (isCrypto ? 50 : 200),
      } as const;
      return set(
        { op: 'above', left: 'close', right },
        { op: 'below', left: 'close', right },
        `The ${right.length}-day average of a usual trend`,
      );
    }
    if (style === 'momentum') {
      const left = { indicator: 'roc', length: this.#lookback() } as const;
      return set(
        { op: 'above', left, right: 0 },
        { op: 'below', left, right: 0 },
        'A rise over the period that counts as momentum',
      );
    }
    if (style === 'mean_reversion') {
      const left = { indicator: 'zscore', length: 20 } as const;
      return set(
        { op: 'below', left, right: -2 },
        { op: 'at_least', left, right: 0 },
        'Two deviations below the 20-day average, until it is back',
      );
    }
    if (style !== 'breakout') return false;
    return set(
      { op: 'above', left: 'close', right: donchian(55, 'upper') },
      { op: 'below', left: 'close', right: donchian(20, 'lower') },
      'A 55-day high, until a 20-day low',
    );
  }

  #lookback(): number {
    const said = this.#said.get('momentumBars');
    if (said !== undefined) return said;
    return (this.#universe.kind === 'crypto' ? COIN_DAYS : DAYS).month * 6;
  }

  #ranking(roles: Roles): Rule | null {
    const said = this.#said;
    const { count, lookback, skips = 0, words } = said.rank!;
    const spans = [...words, ...(count ? [count.span] : [])];
    const exits = (['stopPercent', 'targetPercent', 'maxBars'] as const).filter(
      (slot) => said.get(slot) !== undefined && said.get(slot) !== 'none',
    );
    for (const slot of exits)
      said.ask({
        topic: 'words',
        spans: [said.spanOf(slot)!],
        sentence: 'A ranking replaces what it holds at each look; it has no stop, target or time limit.',
        choices: [{ label: 'Leave it out', says: '' }],
      });
    if (count === undefined)
      said.ask({
        topic: 'count',
        spans,
        sentence: 'How many are held?',
        choices: [3, 5, 10].map((top) => ({ label: String(top), says: `Hold the top ${top}.` })),
      });
    if (lookback === undefined)
      said.ask({
        topic: 'measure',
        spans,
        sentence: 'The best over which period?',
        choices: [3, 6, 12].map((months) => ({
          label: `${months} months`,
          says: `Ranked by the best ${months}-month return.`,
        })),
      });
    if (roles.exitLong.length > 0 && roles.enterLong.length === 0)
      said.ask({
        topic: 'words',
        spans: roles.exitLong.flatMap(({ tests }) => tests.flatMap((test) => test.spans)),
        sentence: 'A ranking replaces what it holds at each look; it has no rule to sell.',
        choices: [{ label: 'Leave it out', says: '' }],
      });
    if (count === undefined || lookback === undefined || exits.length > 0) return null;
    if (!Number.isInteger(count.value) || count.value < 1 || count.value > this.#universe.symbols.length) {
      said.ask({
        topic: 'count',
        spans: [count.span],
        sentence: `There are ${this.#universe.symbols.length} to choose from. How many are held?`,
        choices: [1, 3, 5]
          .filter((top) => top <= this.#universe.symbols.length)
          .map((top) => ({ label: String(top), says: String(top) })),
      });
      return null;
    }
    const by = this.#name(
      { indicator: 'roc', length: lookback.value - skips, ...(skips > 0 ? { lag: skips } : {}) },
      [lookback.span],
    );
    const where = this.#condition(roles.enterLong);
    for (const { tests } of roles.enterLong) this.#link(tests, 'rule.where');
    return {
      type: 'ranking',
      by: String(by),
      top: count.value,
      bottom: 0,
      ...(where === null ? {} : { where }),
    };
  }

  #pair(): Rule | null {
    const said = this.#said;
    const [first, second, third] = this.#universe.symbols;
    const enterAt = said.get('enterAt');
    if (second === undefined || third !== undefined) {
      said.ask({
        topic: 'what',
        spans: [said.spanOf('pair')!],
        sentence: 'A pair is two instruments. Which two?',
        choices: [],
      });
      return null;
    }
    if (said.tests.length > 0)
      said.refuse('These two contradict each other: a pair is traded by its spread alone.', [
        said.spanOf('pair')!,
        ...said.tests[0]!.tests.flatMap(({ spans }) => spans),
      ]);
    if (said.rank !== null && said.rank.count !== undefined)
      said.refuse('These two contradict each other: it is a ranking or a pair.', [
        said.spanOf('pair')!,
        said.rank.count.span,
      ]);
    if (enterAt === undefined) {
      said.ask({
        topic: 'how',
        spans: [said.spanOf('pair')!],
        sentence: 'How many standard deviations apart does it enter?',
        choices: [{ label: '2, out at 0.5', says: 'Pair: enter at 2 deviations, exit at 0.5 deviations.' }],
      });
      return null;
    }
    const exitAt = said.get('exitAt');
    if (exitAt === undefined) this.#assume('rule', 'Leaves when the spread is back at its mean');
    if (said.get('spreadLength') === undefined) this.#assume('rule', 'Measured over 60 days');
    const stopAt = said.get('stopAt');
    return {
      type: 'pairs',
      pairs: [{ first: first as Symbol, second: second as Symbol }],
      spread: 'log_ratio',
      length: said.get('spreadLength') ?? 60,
      enterAt,
      exitAt: exitAt ?? 0,
      ...(stopAt === undefined ? {} : { stopAt }),
    };
  }

  #condition(groups: readonly Group[]): Condition | null {
    if (groups.length === 0) return null;
    const alternatives: Condition[][] = [[]];
    for (const { tests, any, join } of withoutTwins(groups)) {
      const conditions = tests.map(({ op, left, right, spans }) => ({
        op,
        left: this.#name(left, spans),
        right: this.#name(right, spans),
      }));
      const one = any && conditions.length > 1 ? [{ op: 'any', of: conditions } as const] : conditions;
      if (join === 'or' && alternatives.at(-1)!.length > 0) alternatives.push([...one]);
      else alternatives.at(-1)!.push(...one);
    }
    return joined(
      'any',
      alternatives.map((all) => joined('all', all)),
    );
  }

  #name(term: Term, spans: readonly Span[]): number | string {
    if (typeof term !== 'object') return term;
    const name = this.#nameOf(term);
    this.features[name] = term;
    if (!this.made.has(name)) this.made.set(name, spans);
    return name;
  }

  /** By what is measured, not by its numbers: those can be moved later. */
  #nameOf(feature: Feature): string {
    const text = JSON.stringify(feature);
    const known = Object.keys(this.features).find((name) => JSON.stringify(this.features[name]) === text);
    if (known !== undefined) return known;
    const output = 'output' in feature ? `_${feature.output}` : '';
    const base = `${FEATURE_NAMES[feature.indicator] ?? feature.indicator}${output}`;
    const count = Object.keys(this.features).filter(
      (name) => name === base || name.startsWith(`${base}_`),
    ).length;
    return count === 0 ? base : `${base}_${count + 1}`;
  }

  #assume(part: string, text: string): void {
    this.assumed.push({ part, text });
  }
}
