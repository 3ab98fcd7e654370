// The target being followed, by numbers of instruments.
import type { Slots } from './slots.ts';

export class Target {
  /** Counts targets; 0 is none yet. */
  number = 0;
  /** What its sizes are shares of. */
  equity = 0;
  /** The instruments that it names, in its order, and how much of each. */
  readonly named: number[] = [];
  weight = new Float64Array(FEW);
  /** Whether one of them is an option, and on which instruments. */
  readonly underlyings = new Set<number>();

  /** Forgets what was followed. */
  begin(): void {
    for (const s of this.named) this.weight[s] = 0;
    this.named.length = 0;
    if (this.underlyings.size > 0) this.underlyings.clear();
    this.number++;
  }

  name(s: number, weight: number, slots: Slots): void {
    if (s >= this.weight.length) {
      const wider = new Float64Array(slots.count * 2);
      wider.set(this.weight);
      this.weight = wider;
    }
    this.named.push(s);
    this.weight[s] = weight;
    const option = slots.at(s)?.option;
    if (option) this.underlyings.add(slots.find(option.underlying));
  }
}

/** Instruments; more are made room for. */
const FEW = 8;
