// From what the published record made of a person's money to what they have: one step for each cause. Promises that the
// steps sum to the difference exactly, every day; what the books do not explain is a step of its own, by name.
import type { IsoDate } from '#units/instant.ts';
import { type Micro, micro } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import type { BridgeLadder } from './bridge-ladder.ts';

/**
 * start: begun on another day than the record. limits: the person's own. rounding: amount, whole units and minimums. orders:
 * filled earlier, later, otherwise or not at all. slippage: filled at other prices than there were. commission: what the
 * broker took for trading. cash: corrections of cash by broker or people. income: dividends, swaps and corporate actions.
 * fee: of the provider, as billed. residual: what no booking explains.
 */
export const BRIDGE_STEPS = [
  'start',
  'limits',
  'rounding',
  'orders',
  'slippage',
  'commission',
  'cash',
  'income',
  'fee',
  'residual',
] as const;
export type BridgeStep = (typeof BRIDGE_STEPS)[number];

/** A deployment at the end of a day: sums since its start, signed as they change its value. */
export type ActualDay = {
  readonly date: IsoDate;
  /** Put in less taken out. */
  readonly invested: Micro;
  /** As stored. */
  readonly value: Micro;
  /** As its books and the prices of that day say. */
  readonly explained: Micro;
  readonly slippage: Micro;
  readonly commission: Micro;
  readonly cash: Micro;
  readonly income: Micro;
  readonly fee: Micro;
};

export type BridgeDay = {
  readonly date: IsoDate;
  readonly invested: Micro;
  /** What the money would be worth had it followed the published record. */
  readonly published: Micro;
  readonly steps: Readonly<Record<BridgeStep, Micro>>;
  /** published and all steps together: the stored value after the fees billed. */
  readonly mine: Micro;
};

/**
 * The days that the ladder reaches. Money that is put in later joins each rung where that rung then is. Throws RangeError
 * when days are not in order.
 */
export function returnBridge(ladder: BridgeLadder, days: readonly ActualDay[]): readonly BridgeDay[] {
  const rungs = new Rungs(ladder);
  const reached = days.filter(({ date }) => date <= (ladder.dates.at(-1) ?? ''));
  return reached.map((day) => bridgeOf(day, rungs.at(day)));
}

/** In Micro; the parts are those of the last rung. */
type Levels = {
  readonly published: Micro;
  readonly started: Micro;
  readonly limited: Micro;
  readonly rounded: Micro;
  readonly slippage: Micro;
  readonly commission: Micro;
  readonly income: Micro;
};

const GROWTHS = ['published', 'started', 'limited', 'rounded'] as const;
const PARTS = ['slippage', 'commission', 'income'] as const;

/** The rungs in a person's money, day after day. */
class Rungs {
  readonly #ladder: BridgeLadder;
  /** -1: before the first row. */
  #row = -1;
  #invested = 0;
  #date: IsoDate | '' = '';
  readonly #level = { published: 0, started: 0, limited: 0, rounded: 0 };
  readonly #part = { slippage: 0, commission: 0, income: 0 };

  constructor(ladder: BridgeLadder) {
    this.#ladder = ladder;
  }

  at({ date, invested }: Pick<ActualDay, 'date' | 'invested'>): Levels {
    if (date <= this.#date) throw new RangeError(`${date} does not come after ${this.#date}`);
    this.#date = date;
    const flow = invested - this.#invested;
    this.#invested = invested;
    const from = this.#row;
    while (this.#row + 1 < this.#ladder.dates.length && this.#ladder.dates[this.#row + 1]! <= date)
      this.#row++;
    const began = this.#level.rounded + flow;
    const growth = from < 0 ? 1 : this.#ladder.rounded[from]!;
    const share = growth === 0 ? 0 : began / (growth * this.#ladder.amount);
    for (const part of PARTS) this.#part[part] += share * this.#grown(this.#ladder[part], from, 0);
    for (const rung of GROWTHS) {
      const start = from < 0 ? 1 : this.#ladder[rung][from]!;
      const level = this.#level[rung] + flow;
      this.#level[rung] = start === 0 ? 0 : level * (this.#end(this.#ladder[rung], 1) / start);
    }
    const whole = (value: number) => micro(roundHalfEven(value));
    return {
      published: whole(this.#level.published),
      started: whole(this.#level.started),
      limited: whole(this.#level.limited),
      rounded: whole(this.#level.rounded),
      slippage: whole(this.#part.slippage),
      commission: whole(this.#part.commission),
      income: whole(this.#part.income),
    };
  }

  #grown(column: Float64Array, from: number, before: number): number {
    return this.#end(column, before) - (from < 0 ? before : column[from]!);
  }

  #end(column: Float64Array, before: number): number {
    return this.#row < 0 ? before : column[this.#row]!;
  }
}

function bridgeOf(day: ActualDay, rung: Levels): BridgeDay {
  const { date, invested, value, explained, slippage, commission, cash, income, fee } = day;
  const steps = {
    start: rung.started - rung.published,
    limits: rung.limited - rung.started,
    rounding: rung.rounded - rung.limited,
    slippage: slippage - rung.slippage,
    commission: commission - rung.commission,
    cash,
    income: income - rung.income,
    fee,
    residual: value - explained,
  };
  const apart = steps.slippage + steps.commission + steps.cash + steps.income;
  const orders = explained - rung.rounded - apart;
  return {
    date,
    invested,
    published: rung.published,
    steps: inMicro({ ...steps, orders }),
    mine: micro(value + fee),
  };
}

function inMicro(steps: Readonly<Record<BridgeStep, number>>): BridgeDay['steps'] {
  return Object.fromEntries(BRIDGE_STEPS.map((step) => [step, micro(steps[step])])) as BridgeDay['steps'];
}

/** For people: the same in whole cents, which sum to the same ends. */
export function bridgeInCents(day: BridgeDay): BridgeDay {
  const cents = (amount: number) => roundHalfEven(amount / MICRO_PER_CENT) * MICRO_PER_CENT;
  let level: number = day.published;
  const steps = BRIDGE_STEPS.map((step) => {
    const before = cents(level);
    level += day.steps[step];
    return [step, cents(level) - before] as const;
  });
  return {
    ...day,
    invested: micro(cents(day.invested)),
    published: micro(cents(day.published)),
    steps: inMicro(Object.fromEntries(steps) as Record<BridgeStep, number>),
    mine: micro(cents(day.mine)),
  };
}

const MICRO_PER_CENT = 10_000;
