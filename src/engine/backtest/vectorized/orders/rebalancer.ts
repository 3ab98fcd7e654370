// Orders what a target asks for, in numbers: rebalance/rebalance.ts, bit for bit the same sizes and refusals.
import { notional, scale } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { isTooLarge } from '../../../rebalance/rebalance.ts';
import { capWeight } from '../../../risk/max-allocation.ts';
import type { Account } from '../account.ts';
import { coveredContracts, deliversShares } from './cover.ts';
import { IndexList } from '../index-list.ts';
import type { OrderQueue } from './order-queue.ts';
import type { OrderWriter, WriterTerms } from './order-writer.ts';
import type { Slot } from '../slot.ts';
import { Target } from './target.ts';

export class Rebalancer {
  readonly target = new Target();
  readonly #account: Account;
  readonly #orders: OrderQueue;
  readonly #writer: OrderWriter;
  readonly #terms: WriterTerms;
  /** By instrument the number of the target that ordered it last. */
  #orderedBy = new Int32Array(FEW);
  /** By instrument: closed by a stop loss or for margin, 1 long, -1 short, until a target lets it go or turns it round. */
  #stoppedOut = new Int8Array(FEW);
  #isAnyStopped = false;
  /** How many instruments of the target have no order from it. */
  #unordered = 0;
  readonly #growing = new IndexList();
  #sizes = new Float64Array(FEW);

  constructor(
    account: Account,
    { orders, writer, terms }: { orders: OrderQueue; writer: OrderWriter; terms: WriterTerms },
  ) {
    this.#account = account;
    this.#orders = orders;
    this.#writer = writer;
    this.#terms = terms;
    this.#makeRoom();
  }

  /** Orders what the target that was just named asks for; the account has been valued. */
  follow(): void {
    this.target.equity = Math.max(0, this.#account.equity);
    this.#makeRoom();
    if (this.#isAnyStopped) this.#releaseStoppedOut();
    this.#order(false);
  }

  /** Whether an order just ended may be what others of the target waited for. */
  releases(s: number, traded: number): boolean {
    const held = this.#account.quantity[s]!;
    return (traded < 0 ? held > 0 : held < 0) || this.target.isOptionOn(s);
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

  isStoppedOut(s: number): boolean {
    return this.#stoppedOut[s] !== 0;
  }

  stopOut(s: number): void {
    this.#stoppedOut[s] = this.#account.quantity[s]! > 0 ? 1 : -1;
    this.#isAnyStopped = true;
  }

  #releaseStoppedOut(): void {
    this.#isAnyStopped = false;
    for (let s = 0; s < this.#stoppedOut.length; s++) {
      const side = this.#stoppedOut[s]!;
      if (side === 0) continue;
      if (Math.sign(this.target.weight[s]!) === side) this.#isAnyStopped = true;
      else this.#stoppedOut[s] = 0;
    }
  }

  #order(resumes: boolean): void {
    this.#writer.openBudget();
    this.#unordered = 0;
    this.#growing.cut(0);
    const { held } = this.#account;
    const { named, weight } = this.target;
    for (let i = 0; i < held.count; i++) this.#propose(held.at(i), weight[held.at(i)]!, resumes);
    for (let i = 0; i < named.count; i++) {
      const s = named.at(i);
      if (weight[s] !== 0 && !this.#account.isHeld(s)) this.#propose(s, weight[s]!, resumes);
    }
    for (let i = 0; i < this.#growing.count; i++) this.#writeIncrease(this.#growing.at(i), this.#sizes[i]!);
  }

  /** Reductions are written at once, what adds exposure after them. */
  #propose(s: number, weight: number, resumes: boolean): void {
    if (resumes && this.#orderedBy[s] === this.target.number) return;
    this.#unordered++;
    const traded = this.#sized(s, weight);
    if (traded === 0) return;
    const held = this.#account.quantity[s]!;
    const after = held + traded;
    const grows = held === 0 || (held > 0 ? after > held || after < 0 : after < held || after > 0);
    if (grows) {
      this.#sizes[this.#growing.count] = traded;
      this.#growing.add(s);
    } else this.#noteOrder(s, this.#writer.write(s, traded));
  }

  /** What to trade, signed; 0 when nothing. */
  #sized(s: number, weight: number): number {
    const account = this.#account;
    const slot = account.slots.at(s);
    const mark = slot === null ? Number.NaN : account.of(s);
    if (slot === null || !(mark > 0)) return this.#writer.refuse('no_price');
    if (this.#orders.isWorking(s)) return this.#writer.refuse('order_working');
    const { equity } = this.target;
    const allowed = weight === 0 ? 0 : this.#allowed(slot, weight);
    const sizedAt = slot.option === null ? mark : slot.option.strike;
    const unit = slot.multiplier * sizedAt * account.slots.rate(slot, mark, account);
    const desired = Math.trunc((allowed * equity * 100) / unit / slot.step) * slot.step + 0;
    const held = account.quantity[s]!;
    const traded = desired - held;
    if (isTooLarge(desired, traded)) return this.#writer.refuse('quantity_too_large');
    if (desired === 0 && held === 0 && allowed !== 0) return this.#writer.refuse('below_one_step');
    if (traded === 0) return 0;
    const quoted = notional(Math.abs(traded) as Quantity, sizedAt, slot.multiplier);
    const worth = scale(quoted, unit / sizedAt / slot.multiplier);
    const isSmall = worth < this.#terms.settings.noTradeBand * equity;
    return desired !== 0 && isSmall ? this.#writer.refuse('within_band') : traded;
  }

  /** The weight after the person's limits. */
  #allowed(slot: Slot, weight: number): number {
    if (weight < 0 && !this.#terms.allowsShort) return this.#writer.refuse('short_not_allowed');
    if (this.#isAnyStopped && this.isStoppedOut(slot.index)) return this.#writer.refuse('stopped_out');
    const { maxAllocationPercent } = this.#terms.settings.limits;
    if (maxAllocationPercent <= 0 || deliversShares(slot, weight)) return weight;
    const capped = capWeight(weight, maxAllocationPercent);
    if (capped !== weight) this.#writer.refuse('max_allocation');
    return capped;
  }

  #writeIncrease(s: number, uncovered: number): void {
    const traded = this.#terms.hasOptions ? this.#covered(s, uncovered) : uncovered;
    if (traded === 0) return;
    const writer = this.#writer;
    const held = this.#account.quantity[s]!;
    if (writer.isFrozen) {
      // A turn-round still closes what is held.
      const closes = traded > 0 ? held < 0 : held > 0;
      this.#noteOrder(s, writer.write(s, closes ? -held : traded));
    } else if (writer.fits(s, traded)) this.#noteOrder(s, writer.writeAsked(s, traded));
    else if (this.#awaitsReductions()) writer.refuse('awaiting_sales');
    else {
      const cut = writer.cutAsked(s, traded);
      if (cut === 0) writer.refuse('no_cash');
      else this.#noteOrder(s, writer.write(s, cut));
    }
  }

  #noteOrder(s: number, isOrdered: boolean): void {
    if (!isOrdered) return;
    this.#orderedBy[s] = this.target.number;
    this.#unordered--;
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
    if (this.#orders.tradedAlready(underlying, true) > 0) return this.#writer.refuse('awaiting_cover');
    const rest = Math.sign(after) * most - held;
    return Math.sign(rest) === Math.sign(traded) ? rest : this.#writer.refuse('not_covered');
  }

  /** Without options nothing but an order itself changes what it reduces. */
  #awaitsReductions(): boolean {
    if (!this.#terms.hasOptions) return this.#orders.reducing > 0;
    const { quantity } = this.#account;
    for (let at = this.#orders.workingFrom(0); at >= 0; at = this.#orders.workingFrom(at + 1)) {
      this.#orders.read(at);
      const held = quantity[this.#orders.s]!;
      if (this.#orders.traded < 0 ? held > 0 : held < 0) return true;
    }
    return false;
  }

  /** For every instrument that there is by now. */
  #makeRoom(): void {
    const { count } = this.#account.slots;
    if (count <= this.#orderedBy.length) return;
    this.#orderedBy = grown(this.#orderedBy, new Int32Array(count * 2));
    this.#stoppedOut = grown(this.#stoppedOut, new Int8Array(count * 2));
    this.#sizes = new Float64Array(count * 2);
  }
}

function grown<Column extends Int32Array | Int8Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

const FEW = 8;
