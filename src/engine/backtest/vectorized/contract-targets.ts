// Targets of definitions that trade a different instrument than they read: futures contracts, or options on shares. The
// contract follows from the date alone, so the rows at which it may change are known beforehand.
import type { Symbol } from '#units/identifiers.ts';
import type { TargetWeight } from '../../event.ts';
import { asTraded, rollsAfter } from '../../strategy/as-traded.ts';
import { optionsEndOn, withOptions } from '../../strategy/option-overlay.ts';
import type { Prepared } from '../../strategy/prepare.ts';
import type { SessionDates } from './session-dates.ts';
import type { Slots } from './slots.ts';

export class ContractTargets {
  readonly #prepared: Prepared;
  readonly #slots: Slots;
  readonly #dates: SessionDates;
  readonly #roots: readonly Symbol[];
  /** Rising. */
  readonly #rows: readonly number[];
  readonly hasOptions: boolean;
  /** Whether targets are traded in the very instruments that the definition reads. */
  readonly isPlain: boolean;
  #at = 0;
  #followed: readonly TargetWeight[] = [];

  constructor(prepared: Prepared, slots: Slots, dates: SessionDates) {
    this.#prepared = prepared;
    this.#slots = slots;
    this.#dates = dates;
    this.#roots = prepared.definition.universe.filter((symbol) => {
      const instrument = slots.listed.get(symbol);
      return instrument?.kind === 'futures' && instrument.expiry === null;
    });
    this.hasOptions = prepared.definition.options !== undefined;
    this.isPlain = this.#roots.length === 0 && !this.hasOptions;
    const rows = this.#roots.flatMap((root) => dates.rollRows(root, slots.listed.get(root)!.calendar));
    if (this.hasOptions) rows.push(...dates.optionExpiryRows());
    this.#rows = [...new Set(rows)].sort((a, b) => a - b);
  }

  /** The next row from `row` on after whose session the followed contract may change. */
  nextRow(row: number): number {
    while (this.#at < this.#rows.length && this.#rows[this.#at]! < row) this.#at++;
    return this.#rows[this.#at] ?? Number.POSITIVE_INFINITY;
  }

  /** Whether another contract is followed from the next session on. */
  rollsAt(row: number): boolean {
    if (this.nextRow(row) !== row) return false;
    const date = this.#dates.of(row);
    if (this.hasOptions && this.#followed.length > 0 && optionsEndOn(date)) return true;
    if (this.#roots.length === 0 || row === 0) return false;
    return rollsAfter(this.#followed, { date, before: this.#dates.of(row - 1) }, this.#slots.listed);
  }

  /** Of a price as signals read it, with splits taken out, the price that is traded at. */
  rawPrice(price: number, row: number): number {
    const [instrument] = this.#prepared.instruments;
    const slot = this.#slots.traded(0);
    if (instrument === undefined || slot.bars === instrument.bars) return price;
    const bar = slot.barAt(row);
    return (price * slot.bars.close[bar]!) / instrument.bars.close[bar]!;
  }

  /** The weights that are not zero in what their orders trade, by number of the instrument. */
  follow(weights: readonly TargetWeight[], row: number): readonly (readonly [s: number, weight: number])[] {
    this.#followed = weights;
    const { options } = this.#prepared.definition;
    const own = asTraded(weights, this.#dates.of(row), this.#slots.listed);
    const knownOf = (symbol: Symbol) => {
      const s = this.#slots.find(symbol);
      const shares = s < 0 ? null : this.#slots.at(s);
      return shares && { bars: shares.bars, last: shares.barAt(row) };
    };
    const traded = options === undefined ? own : withOptions(own, options, knownOf);
    return traded.map(({ symbol, weight }) => [this.#slots.list(symbol, row), weight] as const);
  }
}
