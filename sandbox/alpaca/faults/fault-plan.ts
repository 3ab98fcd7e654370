// Runs a fault script: counts occasions and draws by the seed.
import { draws } from '../../market/price-models/random.ts';
import { FAULT_SCRIPT, type Fault, type FaultScript, type Occasion } from './fault-script.ts';

export type FaultPlan = {
  /** Replaces the script, its counts and its journal. */
  set(script: FaultScript): void;
  /** The faults of one occasion, in the order of the rules. */
  faultsOn(occasion: Occasion): readonly Fault[];
  readonly journal: readonly { readonly occasion: Occasion; readonly fault: Fault['kind'] }[];
};

export function createFaultPlan(): FaultPlan {
  let script = FAULT_SCRIPT.parse({});
  let counts: { seen: number; fired: number }[] = [];
  let journal: { occasion: Occasion; fault: Fault['kind'] }[] = [];
  return {
    get journal() {
      return journal;
    },
    set(next) {
      script = next;
      counts = next.rules.map(() => ({ seen: 0, fired: 0 }));
      journal = [];
    },
    faultsOn(occasion) {
      return script.rules.flatMap(
        ({ on, fault, nth, probability = 1, times = Number.POSITIVE_INFINITY }, index) => {
          if (on !== occasion && (on !== 'any' || occasion.endsWith('_frame'))) return [];
          const count = counts[index]!;
          count.seen += 1;
          const isChosen =
            nth === undefined
              ? draws(script.seed, index, 0).uniform(count.seen) < probability
              : count.seen === nth;
          if (!isChosen || count.fired >= times) return [];
          count.fired += 1;
          journal.push({ occasion, fault: fault.kind });
          return [fault];
        },
      );
    },
  };
}
