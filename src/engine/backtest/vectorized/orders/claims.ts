// What orders claim and what is left to commit, as numbers: risk/budget.ts and risk/cover.ts.
import { roundHalfEven } from '#units/round.ts';
import type { Account } from '../account.ts';
import type { Slot } from '../slot.ts';

export class Claims {
  /** What is left. */
  cash = 0;
  exposure = 0;
  /** What the order asked about last would take. */
  claimedCash = 0;
  claimedExposure = 0;
  readonly #account: Account;

  constructor(account: Account) {
    this.#account = account;
  }

  /** From what the account was last valued at, before any order. */
  open(hasOptions: boolean): void {
    const { cash, equity, gross } = this.#account;
    this.cash = cash;
    this.exposure = equity - gross;
    if (!hasOptions) return;
    const { held, slots, quantity } = this.#account;
    for (let i = 0; i < held.count; i++) {
      this.cash -= cashBehind(slots.traded(held.at(i)), quantity[held.at(i)]!);
    }
  }

  /** Takes out what an order asked about last would claim. */
  take(): void {
    this.cash -= this.claimedCash;
    // What a working reduction gives back is not there before it fills.
    if (this.claimedExposure > 0) this.exposure -= this.claimedExposure;
  }

  get fits(): boolean {
    return this.claimedCash <= this.cash && this.claimedExposure <= this.exposure;
  }

  /** What a signed trade would take at most; `held` is what is held before it. */
  ask(s: number, traded: number, limitPrice: number, held: number): void {
    const { slots } = this.#account;
    const slot = slots.traded(s);
    const rate = slots.rate(slot, limitPrice, this.#account);
    const size = Math.abs(traded);
    const commission = commissionOf(slot, size, limitPrice, rate);
    const after = held + traded;
    const grown = Math.abs(after) - Math.abs(held);
    const exposure =
      grown >= 0 ? worth(slot, grown, limitPrice, rate) : -worth(slot, -grown, limitPrice, rate);
    const paid = traded > 0 && slot.isCash ? worth(slot, size, limitPrice, rate) : 0;
    const bound = slot.option !== null && traded < 0 ? cashBehind(slot, after) - cashBehind(slot, held) : 0;
    this.claimedCash = paid + bound + commission;
    this.claimedExposure = exposure + commission;
  }
}

/** Positive, in Micro dollars. */
export function commissionOf({ costs, multiplier }: Slot, size: number, price: number, rate: number): number {
  const share = roundHalfEven((size * price * multiplier) / 100) * (costs.commissionRate * rate);
  if (costs.commissionPerContract === 0) return roundHalfEven(share);
  return roundHalfEven(share) + roundHalfEven((size / 1e8) * costs.commissionPerContract * 1e6);
}

function worth({ multiplier }: Slot, size: number, price: number, rate: number): number {
  const quoted = roundHalfEven((size * price * multiplier) / 100);
  return rate === 1 ? quoted : roundHalfEven(quoted * rate);
}

/** The money that a written put may have to pay for its shares. */
function cashBehind({ option, multiplier }: Slot, position: number): number {
  if (option === null || option.right !== 'put' || position >= 0) return 0;
  return roundHalfEven((-position * option.strike * multiplier) / 100);
}
