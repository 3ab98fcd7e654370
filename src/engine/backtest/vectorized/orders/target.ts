// The target being followed, by numbers of instruments.
import { IndexList } from '../index-list.ts';
import type { Slots } from '../slots.ts';

export class Target {
  /** Counts targets; 0 is none yet. */
  number = 0;
  /** What its sizes are shares of. */
  equity = 0;
  /** The instruments that it names, in its order. */
  readonly named = new IndexList();
  /** By instrument; 0 for what it does not name. */
  weight = new Float64Array(FEW);
  /** On which instruments it has options. */
  readonly underlyings = new IndexList();

  /** Forgets what was followed. */
  begin(slots: Slots): void {
    for (let i = 0; i < this.named.count; i++) this.weight[this.named.at(i)] = 0;
    this.named.cut(0);
    this.underlyings.cut(0);
    this.number++;
    if (slots.count > this.weight.length) {
      const wider = new Float64Array(slots.count * 2);
      wider.set(this.weight);
      this.weight = wider;
    }
  }

  name(s: number, weight: number): void {
    this.named.add(s);
    this.weight[s] = weight;
  }

  isOptionOn(s: number): boolean {
    for (let i = 0; i < this.underlyings.count; i++) if (this.underlyings.at(i) === s) return true;
    return false;
  }
}

/** Instruments; more are made room for. */
const FEW = 8;
