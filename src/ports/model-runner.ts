// Runs trained models. A score depends on the model's bytes and on its own row alone: the same bits on every machine
// and in every browser, alone or among others. A file other than the requested one is never run.

export type ModelFile = {
  /** By its path below the folder of models. */
  readonly file: string;
  /** In small hexadecimal. */
  readonly sha256: string;
};

/** Rows of 32-bit floats, one after another. */
export type ModelInputs = { readonly count: number; readonly width: number; readonly inputs: Float32Array };

export type ModelAnswer =
  | { readonly ok: true; readonly scores: Float32Array }
  | {
      readonly ok: false;
      /** missing: no such file. changed: its bytes are not those of the hash. unfit: not a model for these rows. */
      readonly code: 'missing' | 'changed' | 'unfit';
      readonly message: string;
    };

export type ModelRunner = {
  /** One score for each row, in their order. */
  score(model: ModelFile, rows: ModelInputs): Promise<ModelAnswer>;
};
