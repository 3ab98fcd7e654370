// How a model is made: its inputs, its outcome, its training, and the strategy that trades its score.
import type { ModelSection } from '#engine/model/model-section.ts';
import type { Feature } from '#engine/strategy/definition.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { OnnxGraph } from './onnx/onnx-file.ts';
import type { TrainingSet } from './training-set.ts';

export type Recipe = {
  /** Its folder below models/. */
  readonly name: string;
  readonly method: string;
  readonly universe: readonly Symbol[];
  readonly benchmark: Symbol;
  readonly periodsPerYear: 252 | 365;
  /** What the model is fed, in order; and what rules read besides. */
  readonly inputs: { readonly [name: string]: Feature };
  readonly ruleFeatures: { readonly [name: string]: Feature };
  readonly scaling: ModelSection['scaling'];
  /** The outcome to predict: the return from the next open to the open this many bars later. */
  readonly horizonBars: number;
  /** Days between the last outcome learned from and the first day scored. */
  readonly embargoDays: number;
  readonly settings: object;
  readonly fit: (set: TrainingSet) => OnnxGraph;
  /** The rest of the strategy's definition: name, notes, schedule, direction, rule, weighting, exits. */
  readonly strategy: { readonly [field: string]: unknown };
  /** Stated on the model's card. */
  readonly predicts: string;
  /** Backtests over the same years before this one was chosen; the trial ledger counts them too. */
  readonly tries: readonly { readonly model: string; readonly rules: string; readonly sharpe: number }[];
  readonly weaknesses: readonly string[];
};
