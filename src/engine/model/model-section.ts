// The optional model of a strategy definition: which features go into a trained model, and which file of it scores
// which days. Each file was trained only on what was known before its `from`, so every score is out of sample.
import type { IsoDate } from '#units/instant.ts';

export type ModelSection = {
  /** Names of features, in the order in which the model takes them. */
  readonly inputs: readonly string[];
  /** none: as they are. cross_section: in standard deviations from the mean of the universe at the same close. */
  readonly scaling: 'none' | 'cross_section';
  /** The name under which rules read the score; it is used like any other feature. */
  readonly output: string;
  /** In rising order of `from`. A bar is scored by the last window that begins on or before its day (UTC). */
  readonly windows: readonly ModelWindow[];
};

export type ModelWindow = {
  readonly from: IsoDate;
  /** An ONNX file, by its path below the folder of models. */
  readonly file: string;
  /** The hash of the file's bytes: a different model is a different definition. */
  readonly sha256: string;
};
