// Orders what a target asks for, in numbers: rebalance/rebalance.ts with the sizing and approval behind it, bit for bit
// the same orders, cuts and refusals.
import { notional, scale } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { limitPrice } from '../../order/limit-price.ts';
import type { RefusalCode } from '../../order/order.ts';
import { ROUNDING } from '../../rebalance/order-builder.ts';
import { capWeight } from '../../risk/max-allocation.ts';
import type { BacktestSettings } from '../settings.ts';
import type { Account } from './account.ts';
import { Claims, type WorkingOrder } from './claims.ts';
import { coveredContracts, deliversShares } from './cover.ts';
import type { OrderQueue, QueuedOrder } from './order-queue.ts';
import type { Slot } from './slot.ts';
import { Target } from './target.ts';

export type RebalancerTerms = {
  readonly settings: BacktestSettings;
  readonly allowsShort: boolean;
  readonly hasOptions: boolean;
};

export class Rebalancer {
  readonly target = new Target();
  readonly refusals = new Map<RefusalCode, number>();
  /** Set once the drawdown limit was passed. */
  isFrozen = false;
  /** Positions closed by a stop loss or for margin: 1 long, -1 short, until a target lets them go or turns them round. */
  readonly stoppedOut = new Map<number, number>();
  readonly #account: Account;
  readonly #orders: OrderQueue;
  readonly #claims: Claims;
  readonly #terms: RebalancerTerms;
  /** By instrument the number of the target that ordered it last. */
  #orderedBy = new Int32Array(16);
  /** How many instruments of the target have no order from it. */
  #unordered = 0;
  readonly #growing: number[] = [];
  readonly #sizes: number[] = [];

  constructor(account: Account, orders: OrderQueue, terms: RebalancerTerms) {
    this.#account = account;
    this.#orders = orders;
    this.#claims = new Claims(account);
    this.#terms = terms;
  }

  /** Orders what the target that was just named asks for; the account has been valued. */
  follow(): void {
    this.target.equity = Math.max(0, this.#account.equity);
    if (this.stoppedOut.size > 0) {
      for (const [s, side] of this.stoppedOut) {
        if (Math.sign(this.target.weight[s]!) !== side) this.stoppedOut.delete(s);
      }
    }
    this.#order(false);
  }

  /** Whether an order just ended may be what others of the target waited for. */
  releases({ s, traded }: WorkingOrder): boolean {
    if (this.target.underlyings.has(s)) return true;
    const held = this.#account.quantity[s]!;
    return traded < 0 ? held > 0 : held < 0;
  }

  /** Whether what had to wait for the target's own sales can be ordered now. */
  get canResume(): boolean {
    return this.target.number > 0 && !this.#awaitsReductions();
  }

  /**
   * Whether the target may ask for more than it has ordered: never where each of its instruments has an order, and an
   * order of an earlier target cannot have waited for its bar.
   */
  get hasRest(): boolean {
    return this.#unordered > 0 || this.#terms.hasOptions || this.#account.slots.hasGaps;
  }

  /** Orders what had to wait; the account has been valued. */
  resume(): void {
    this.#order(true);
  }

  /** Orders that close, whatever the budget; false when it is not approved. */
  exit(s: number, traded: number): boolean {
    const code = this.#refusalOf(s, traded, true);
    if (code === null) this.#orders.add(this.#draft(s, traded));
    else this.#refuse(code);
    return code === null;
  }

  #order(resumes: boolean): void {
    const { count } = this.#account.slots;
    if (count > this.#orderedBy.length) this.#orderedBy = widened(this.#orderedBy, count * 2);
    this.#openBudget();
    this.#unordered = 0;
    const growing = this.#growing;
    const sizes = this.#sizes;
    growing.length = 0;
    sizes.length = 0;
    const { held } = this.#account;
    const { named, weight } = this.target;
    for (let i = 0; i < held.length; i++) this.#propose(held[i]!, weight[held[i]!] ?? 0, resumes);
    for (let i = 0; i < named.length; i++) {
      const s = named[i]!;
      if (weight[s] !== 0 && !this.#account.isHeld(s)) this.#propose(s, weight[s]!, resumes);
    }
    for (let i = 0; i < growing.length; i++) this.#writeIncrease(growing[i]!, sizes[i]!);
  }

  /** Reductions are written at once, what adds exposure after them. */
  #propose(s: number, weight: number, resumes: boolean): void {
    if (resumes && this.#orderedBy[s] === this.target.number) return;
    this.#unordered++;
    const traded = this.#sized(s, weight);
    if (traded === 0) return;
    const held = this.#account.quantity[s]!;
    const after = held + traded;
    if (Math.abs(after) > Math.abs(held) || Math.sign(after) === -Math.sign(held)) {
      this.#growing.push(s);
      this.#sizes.push(traded);
    } else this.#write(s, traded);
  }

  /** What to trade, signed; 0 when nothing. */
  #sized(s: number, weight: number): number {
    const account = this.#account;
    const slot = account.slots.at(s);
    const mark = slot === null ? Number.NaN : account.of(s);
    if (slot === null || !(mark > 0)) return this.#refuse('no_price');
    if (this.#orders.isWorking(s)) return this.#refuse('order_working');
    const { equity } = this.target;
    const allowed = this.#allowed(slot, weight);
    const sizedAt = slot.option === null ? mark : slot.option.strike;
    const rate = account.slots.rate(slot, mark, account);
    const unit = slot.multiplier * sizedAt * rate;
    const desired = Math.trunc((allowed * equity * 100) / unit / slot.step) * slot.step + 0;
    const held = account.quantity[s]!;
    if (desired === 0 && held === 0 && allowed !== 0) return this.#refuse('below_one_step');
    const traded = desired - held;
    if (traded === 0) return 0;
    const quoted = notional(Math.abs(traded) as Quantity, sizedAt, slot.multiplier);
    const worth = scale(quoted, unit / sizedAt / slot.multiplier);
    const isSmall = worth < this.#terms.settings.noTradeBand * equity;
    return desired !== 0 && isSmall ? this.#refuse('within_band') : traded;
  }

  /** The weight after the person's limits. */
  #allowed(slot: Slot, weight: number): number {
    if (weight < 0 && !this.#terms.allowsShort) return this.#refuse('short_not_allowed');
    if (weight !== 0 && this.stoppedOut.has(slot.index)) return this.#refuse('stopped_out');
    const { maxAllocationPercent } = this.#terms.settings.limits;
    if (maxAllocationPercent <= 0 || deliversShares(slot, weight)) return weight;
    const capped = capWeight(weight, maxAllocationPercent);
    if (capped !== weight) this.#refuse('max_allocation');
    return capped;
  }

  #writeIncrease(s: number, uncovered: number): void {
    const traded = this.#terms.hasOptions ? this.#covered(s, uncovered) : uncovered;
    if (traded === 0) return;
    const account = this.#account;
    const held = account.quantity[s]!;
    if (this.isFrozen) {
      // A turn-round still closes what is held.
      this.#write(s, held !== 0 && Math.sign(held) === -Math.sign(traded) ? -held : traded);
      return;
    }
    const order = this.#draft(s, traded);
    this.#claims.ask(order, held);
    if (this.#claims.fits) this.#writeDrafted(order);
    else if (this.#awaitsReductions()) this.#refuse('awaiting_sales');
    else {
      const cut = this.#cutToBudget(order, held);
      if (cut === 0) this.#refuse('no_cash');
      else this.#write(s, cut);
    }
  }

  /** An option only as far as shares cover it; 0 when nothing can be ordered yet. */
  #covered(s: number, traded: number): number {
    const account = this.#account;
    const slot = account.slots.traded(s);
    const held = account.quantity[s]!;
    const after = held + traded;
    if (slot.option === null || !deliversShares(slot, after)) return traded;
    const underlying = account.slots.find(slot.option.underlying);
    const most = coveredContracts(account, slot, underlying);
    if (Math.abs(after) <= most) return traded;
    if (this.#orders.tradedAlready(underlying, 1) > 0) return this.#refuse('awaiting_cover');
    const rest = Math.sign(after) * most - held;
    return Math.sign(rest) === Math.sign(traded) ? rest : this.#refuse('not_covered');
  }

  #write(s: number, traded: number): void {
    const order = this.#draft(s, traded);
    this.#claims.ask(order, this.#account.quantity[s]!);
    this.#writeDrafted(order);
  }

  /** Approves an order that was just asked about, or refuses it. */
  #writeDrafted(order: QueuedOrder): void {
    const { s, traded } = order;
    const code = this.#refusalOf(s, traded, false);
    if (code !== null) {
      this.#refuse(code);
      return;
    }
    this.#claims.take();
    this.#orderedBy[s] = this.target.number;
    this.#unordered--;
    this.#orders.add(order);
  }

  /** As risk/approve.ts decides; of an order that is no exit the claim has been asked about. */
  #refusalOf(s: number, traded: number, isExit: boolean): RefusalCode | null {
    const held = this.#account.quantity[s]! + this.#orders.tradedAlready(s, Math.sign(traded));
    const after = held + traded;
    if (after < 0 && after < held && !this.#terms.allowsShort) return 'exceeds_holding';
    const { step } = this.#account.slots.traded(s);
    if (traded === 0 || (traded % step !== 0 && after !== 0)) return 'partial_step';
    if (Math.abs(after) < Math.abs(held) && (after === 0 || Math.sign(after) === Math.sign(held)))
      return null;
    if (isExit) return 'nothing_to_close';
    if (this.isFrozen) return 'frozen';
    return this.#claims.fits ? null : 'no_cash';
  }

  #cutToBudget(order: WorkingOrder, held: number): number {
    const { s, traded } = order;
    const claims = this.#claims;
    const size = Math.abs(traded);
    const sign = Math.sign(traded);
    const closing = Math.sign(held) === -sign ? Math.min(Math.abs(held), size) : 0;
    const cashOver = claims.claimedCash - claims.cash;
    const exposureOver = claims.claimedExposure - claims.exposure;
    const wholeCash = claims.claimedCash;
    claims.ask(order, 0);
    const tooMuch = Math.max(
      cashOver > 0 ? (cashOver + ROUNDING) / (wholeCash / size) : 0,
      exposureOver > 0 ? (exposureOver + ROUNDING) / (claims.claimedExposure / size) : 0,
    );
    const { step } = this.#account.slots.traded(s);
    return sign * Math.max(closing, Math.floor(Math.max(0, size - tooMuch) / step) * step);
  }

  #openBudget(): void {
    this.#claims.open(this.#terms.hasOptions);
    if (this.#orders.isEmpty) return;
    for (let i = this.#orders.workingFrom(0); i >= 0; i = this.#orders.workingFrom(i + 1)) {
      const order = this.#orders.at(i);
      this.#claims.ask(order, this.#account.quantity[order.s]!);
      this.#claims.take();
    }
  }

  #draft(s: number, traded: number): QueuedOrder {
    const slot = this.#account.slots.traded(s);
    const side = traded > 0 ? 'buy' : 'sell';
    const { collar } = this.#terms.settings;
    quantity(Math.abs(traded));
    const reduces = Math.sign(this.#account.quantity[s]!) === -Math.sign(traded);
    const limit = limitPrice(side, this.#account.of(s), collar, slot.instrument);
    return { s, traded, limitPrice: limit, reduces };
  }

  /** Without options nothing but an order itself changes what it reduces. */
  #awaitsReductions(): boolean {
    if (!this.#terms.hasOptions) return this.#orders.reducing > 0;
    for (let i = this.#orders.workingFrom(0); i >= 0; i = this.#orders.workingFrom(i + 1)) {
      const { s, traded } = this.#orders.at(i);
      const held = this.#account.quantity[s]!;
      if (traded < 0 ? held > 0 : held < 0) return true;
    }
    return false;
  }

  #refuse(code: RefusalCode): 0 {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    return 0;
  }
}

function widened(from: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(length);
  to.set(from);
  return to;
}
