// Turns a row of the target table into orders: contracts where the definition trades contracts, units where a fixed
// number of units is requested, at the market's price for market orders.
import type { Quantity } from '#units/quantity.ts';
import type { TargetWeight } from '../../event.ts';
import type { TargetTable } from '../../strategy/targets/target-table.ts';
import type { BacktestSettings } from '../settings.ts';
import { shareOfUnits } from '../units.ts';
import type { Account } from './account.ts';
import type { ContractTargets } from './contract-targets.ts';
import type { Guard } from './guard.ts';
import type { Rebalancer } from './orders/rebalancer.ts';
import type { Venue } from './orders/venue.ts';

export class TargetFollower {
  readonly #account: Account;
  readonly #contracts: ContractTargets;
  readonly #rebalancer: Rebalancer;
  readonly #guard: Guard;
  readonly #settings: BacktestSettings;
  /** With market orders: the weight that is traded at the next open; NaN is none. */
  #pending = Number.NaN;

  constructor(
    account: Account,
    {
      contracts,
      rebalancer,
      guard,
      settings,
    }: {
      readonly contracts: ContractTargets;
      readonly rebalancer: Rebalancer;
      readonly guard: Guard;
      readonly settings: BacktestSettings;
    },
  ) {
    this.#account = account;
    this.#contracts = contracts;
    this.#rebalancer = rebalancer;
    this.#guard = guard;
    this.#settings = settings;
  }

  get isPending(): boolean {
    return !Number.isNaN(this.#pending);
  }

  /** Market orders that were decided at the last close trade at the open. */
  open(row: number, venue: Venue): void {
    if (!this.isPending) return;
    const weight = this.#pending;
    this.#pending = Number.NaN;
    const slot = this.#account.slots.traded(0);
    this.#tradeAtMarket(weight, { market: slot.bars.open[slot.barAt(row)]!, row, venue });
  }

  /** With market orders: the stop or target that the bar of this row reached, at the price it was reached at. */
  leaveWithin({ exitPrices }: TargetTable, line: number, row: number, venue: Venue): void {
    const price = exitPrices?.[line];
    if (price === undefined || Number.isNaN(price) || !this.#account.isHeld(0)) return;
    venue.fill(0, -this.#account.quantity[0]!, this.#contracts.rawPrice(price, row), row);
  }

  /** The line of the table as of this row. */
  follow(table: TargetTable, line: number, row: number, venue: Venue): void {
    const isSameClose = this.#settings.fill === 'same_close';
    if (this.#settings.orders === 'market') {
      const weight = table.weights[line]!;
      if (!isSameClose) {
        this.#pending = weight;
        return;
      }
      const slot = this.#account.slots.traded(0);
      this.#tradeAtMarket(weight, { market: slot.bars.close[slot.barAt(row)]!, row, venue });
      this.#account.markAt(row);
      return;
    }
    if (this.#contracts.isPlain) this.#namePlain(table, line);
    else this.#nameContracts(table, line, row);
    this.#guard.revalue(row);
    this.#rebalancer.follow();
    if (isSameClose) venue.meetMarks(row);
  }

  #namePlain({ symbols, weights }: TargetTable, line: number): void {
    const { target } = this.#rebalancer;
    const width = symbols.length;
    const inUnits = this.#unitShares();
    target.begin(this.#account.slots);
    for (let s = 0; s < width; s++) {
      const weight = weights[line * width + s]!;
      if (weight !== 0) target.name(s, inUnits === null ? weight : inUnits(s, weight));
    }
  }

  #nameContracts({ symbols, weights }: TargetTable, line: number, row: number): void {
    const { target } = this.#rebalancer;
    const own: TargetWeight[] = [];
    symbols.forEach((symbol, s) => {
      const weight = weights[line * symbols.length + s]!;
      if (weight !== 0) own.push({ symbol, weight });
    });
    const traded = this.#contracts.follow(own, row);
    this.#account.makeRoom();
    this.#account.markAt(row);
    const inUnits = this.#unitShares();
    target.begin(this.#account.slots);
    for (const [s, weight] of traded) {
      const share = inUnits === null ? weight : inUnits(s, weight);
      // Two roots never share a contract; who names one twice means the last.
      if (target.weight[s] === 0) target.name(s, share);
      else target.weight[s] = share;
      const option = this.#account.slots.at(s)?.option;
      if (option) target.underlyings.add(this.#account.slots.find(option.underlying));
    }
  }

  /** What is held is left first; an entry is sized at the price that it fills at. */
  #tradeAtMarket(
    weight: number,
    { market, row, venue }: { readonly market: number; readonly row: number; readonly venue: Venue },
  ): void {
    // No trades at an invalid price.
    if (!(market > 0 && market < Number.POSITIVE_INFINITY)) return;
    const side = Math.sign(weight);
    const held = Math.sign(this.#account.quantity[0]!);
    const { slippageRate } = this.#account.slots.traded(0).costs;
    if (held !== 0 && side !== held) this.#tradeAt(market, 0, { row, venue });
    if (side !== 0 && side !== held)
      this.#tradeAt(market * (1 + side * slippageRate), weight, { row, venue });
  }

  #tradeAt(
    price: number,
    weight: number,
    { row, venue }: { readonly row: number; readonly venue: Venue },
  ): void {
    const { target } = this.#rebalancer;
    this.#account.markNewer(0, price);
    const inUnits = this.#unitShares();
    target.begin(this.#account.slots);
    if (weight !== 0) target.name(0, inUnits === null ? weight : inUnits(0, weight));
    this.#guard.revalue(row);
    this.#rebalancer.follow();
    venue.fillAt(price, row);
  }

  /** Converts a fixed number of units into weights, at the newest prices; null where weights are followed. */
  #unitShares(): ((s: number, weight: number) => number) | null {
    const { units } = this.#settings;
    if (units === undefined) return null;
    const account = this.#account;
    account.revalue();
    return (s, weight) => Math.sign(weight) * shareOf(units, account, s);
  }
}

function shareOf(units: Quantity, account: Account, s: number): number {
  const slot = account.slots.traded(s);
  const mark = account.of(s);
  const unit = slot.multiplier * mark * account.slots.rate(slot, mark, account);
  return shareOfUnits(units, { step: slot.step, unit, equity: account.equity });
}
