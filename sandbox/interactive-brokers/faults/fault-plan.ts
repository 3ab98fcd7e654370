// Runs a fault script: counts occasions, draws by the seed, and records its faults.
import { draws } from '../../market/price-models/random.ts';
import { type Instant, instant, MINUTE_MS } from '#units/instant.ts';
import { FAULT_SCRIPT, type Fault, type FaultScript, type Occasion, type Rule } from './fault-script.ts';

export type FaultPlan = {
  readonly script: FaultScript;
  /** Replaces the script, its counts and its journal. */
  set(script: FaultScript, at: Instant): void;
  /** The faults of one occasion, in the order of the rules. */
  faultsOn(occasion: Occasion, at: Instant, account: string | null): readonly Fault[];
  /** Uniform in (0, 1), one after the other, for what a fault leaves to chance. */
  draw(): number;
  /** The next rule of the clock that is due at or before `to`. Each is returned once. */
  nextOfClock(to: Instant): { readonly at: Instant; readonly rule: Rule } | null;
  readonly journal: readonly Happened[];
};

type Happened = { readonly at: Instant; readonly rule: number; readonly fault: Fault['kind'] };

const NO_FAULTS: FaultScript = FAULT_SCRIPT.parse({});

export function createFaultPlan(): FaultPlan {
  let script = NO_FAULTS;
  let progress: Progress[] = [];
  let journal: Happened[] = [];
  let drawn = 0;

  const note = (index: number, at: Instant, { kind }: Fault) => {
    progress[index]!.fired += 1;
    if (journal.length < JOURNAL_MAX) journal.push({ at, rule: index, fault: kind });
  };

  return {
    get script() {
      return script;
    },
    get journal() {
      return journal;
    },
    set(next, at) {
      script = next;
      progress = next.rules.map(({ everyMinutes = 0, at: first }) => ({
        seen: 0,
        fired: 0,
        due: first ?? instant(at + Math.round(everyMinutes * MINUTE_MS)),
      }));
      journal = [];
      drawn = 0;
    },
    faultsOn(occasion, at, account) {
      const faults: Fault[] = [];
      for (const [index, rule] of script.rules.entries()) {
        const isMeant = rule.on === occasion || (rule.on === 'any' && isCall(occasion));
        if (!isMeant || (rule.account !== undefined && account !== null && rule.account !== account))
          continue;
        const state = progress[index]!;
        state.seen += 1;
        if (!fires(rule, state, at, () => draws(script.seed, index, 0).uniform(state.seen))) continue;
        note(index, at, rule.fault);
        faults.push(rule.fault);
      }
      return faults;
    },
    draw: () => draws(script.seed, DRAW_STREAM, 0).uniform(drawn++),
    nextOfClock(to) {
      for (;;) {
        const index = earliestOfClock(script.rules, progress);
        const state = progress[index];
        const rule = script.rules[index];
        if (state === undefined || rule === undefined || state.due > to) return null;
        const at = state.due;
        state.seen += 1;
        state.due = instant(
          rule.everyMinutes === undefined
            ? Number.MAX_SAFE_INTEGER
            : at + Math.round(rule.everyMinutes * MINUTE_MS),
        );
        const isChosen =
          draws(script.seed, index, 0).uniform(state.seen) < (rule.probability ?? 1) &&
          state.fired < (rule.times ?? Number.POSITIVE_INFINITY);
        if (!isChosen) continue;
        note(index, at, rule.fault);
        return { at, rule };
      }
    },
  };
}

type Progress = { seen: number; fired: number; due: Instant };

function fires(rule: Rule, { seen, fired }: Progress, at: Instant, chance: () => number): boolean {
  const { nth, every, probability, at: from } = rule;
  const times = rule.times ?? (from === undefined ? Number.POSITIVE_INFINITY : 1);
  if (fired >= times || (from !== undefined && at < from)) return false;
  if (nth !== undefined && seen !== nth) return false;
  if (every !== undefined && seen % every !== 0) return false;
  return probability === undefined || chance() < probability;
}

function earliestOfClock(rules: readonly Rule[], progress: readonly Progress[]): number {
  let earliest = -1;
  for (const [index, rule] of rules.entries()) {
    if (rule.on !== 'clock') continue;
    if (earliest < 0 || progress[index]!.due < progress[earliest]!.due) earliest = index;
  }
  return earliest;
}

function isCall(occasion: Occasion): boolean {
  return occasion !== 'fill' && occasion !== 'frame' && occasion !== 'clock';
}

/** A separate stream, so that rules do not shift each other's draws. */
const DRAW_STREAM = 1_000;
const JOURNAL_MAX = 10_000;
