// Draws up orders and approves them, in numbers: risk/approve.ts, risk/budget.ts and rebalance/order-builder.ts, bit for
// bit the same limits, claims, cuts and refusals.
import { quantity as wholeUnits } from '#units/quantity.ts';
import { limitPrice } from '../../../order/limit-price.ts';
import type { RefusalCode } from '../../../order/order.ts';
import { ROUNDING } from '../../../rebalance/order-builder.ts';
import type { BacktestSettings } from '../../settings.ts';
import type { Account } from '../account.ts';
import { Claims } from './claims.ts';
import type { OrderQueue } from './order-queue.ts';

export type WriterTerms = {
  readonly settings: BacktestSettings;
  readonly allowsShort: boolean;
  readonly hasOptions: boolean;
};

export class OrderWriter {
  readonly refusals = new Map<RefusalCode, number>();
  /** Set once the drawdown limit was passed. */
  isFrozen = false;
  readonly #account: Account;
  readonly #orders: OrderQueue;
  readonly #claims: Claims;
  readonly #terms: WriterTerms;
  /** Of the order asked about last. */
  #limit = 0;

  constructor(account: Account, orders: OrderQueue, terms: WriterTerms) {
    this.#account = account;
    this.#orders = orders;
    this.#claims = new Claims(account);
    this.#terms = terms;
  }

  /** Computes what is left to commit next to the working orders; the account has been valued. */
  openBudget(): void {
    this.#claims.open(this.#terms.hasOptions);
    if (this.#orders.isEmpty) return;
    for (let at = this.#orders.workingFrom(0); at >= 0; at = this.#orders.workingFrom(at + 1)) {
      this.#orders.read(at);
      const { s, traded, limitPrice: limit } = this.#orders;
      this.#claims.ask(s, traded, limit, this.#account.quantity[s]!);
      this.#claims.take();
    }
  }

  /** Whether the whole of an order fits into what is left of the budget. */
  fits(s: number, traded: number): boolean {
    this.#ask(s, traded);
    return this.#claims.fits;
  }

  /** Orders what was asked about last; false when it is refused. */
  writeAsked(s: number, traded: number): boolean {
    return this.#approve(s, traded, false);
  }

  write(s: number, traded: number): boolean {
    this.#ask(s, traded);
    return this.#approve(s, traded, false);
  }

  /** Orders a closing trade regardless of the budget; false when it is refused. */
  exit(s: number, traded: number): boolean {
    this.#limit = this.#limitOf(s, traded);
    return this.#approve(s, traded, true);
  }

  /** What was asked about last, cut in whole steps to what is left of the budget; what closes is never cut. */
  cutAsked(s: number, traded: number): number {
    const claims = this.#claims;
    const held = this.#account.quantity[s]!;
    const size = Math.abs(traded);
    const sign = Math.sign(traded);
    const closing = Math.sign(held) === -sign ? Math.min(Math.abs(held), size) : 0;
    const cashOver = claims.claimedCash - claims.cash;
    const exposureOver = claims.claimedExposure - claims.exposure;
    const wholeCash = claims.claimedCash;
    claims.ask(s, traded, this.#limit, 0);
    const tooMuch = Math.max(
      cashOver > 0 ? (cashOver + ROUNDING) / (wholeCash / size) : 0,
      exposureOver > 0 ? (exposureOver + ROUNDING) / (claims.claimedExposure / size) : 0,
    );
    const { step } = this.#account.slots.traded(s);
    return sign * Math.max(closing, Math.floor(Math.max(0, size - tooMuch) / step) * step);
  }

  /** Returns 0, which means no order. */
  refuse(code: RefusalCode): 0 {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    return 0;
  }

  #ask(s: number, traded: number): void {
    this.#limit = this.#limitOf(s, traded);
    this.#claims.ask(s, traded, this.#limit, this.#account.quantity[s]!);
  }

  #limitOf(s: number, traded: number): number {
    wholeUnits(Math.abs(traded));
    const { instrument } = this.#account.slots.traded(s);
    const { collar } = this.#terms.settings;
    return limitPrice(traded > 0 ? 'buy' : 'sell', this.#account.of(s), collar, instrument);
  }

  #approve(s: number, traded: number, isExit: boolean): boolean {
    const code = this.#refusalOf(s, traded, isExit);
    if (code !== null) {
      this.refuse(code);
      return false;
    }
    if (!isExit) this.#claims.take();
    const held = this.#account.quantity[s]!;
    this.#orders.add(s, traded, this.#limit, traded > 0 ? held < 0 : held > 0);
    return true;
  }

  #refusalOf(s: number, traded: number, isExit: boolean): RefusalCode | null {
    const held = this.#account.quantity[s]! + this.#orders.tradedAlready(s, traded > 0);
    const after = held + traded;
    if (after < 0 && after < held && !this.#terms.allowsShort) return 'exceeds_holding';
    const steps = traded / this.#account.slots.traded(s).step;
    if (traded === 0 || (after !== 0 && steps !== Math.trunc(steps))) return 'partial_step';
    // Only ever less of what is held.
    if (held > 0 ? after >= 0 && after < held : held < 0 && after <= 0 && after > held) return null;
    if (isExit) return 'nothing_to_close';
    if (this.isFrozen) return 'frozen';
    return this.#claims.fits ? null : 'no_cash';
  }
}
