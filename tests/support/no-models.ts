import type { ModelRunner } from '../../src/ports/model-runner.ts';

/** For worlds whose strategies have no model. */
export const NO_MODELS: ModelRunner = {
  score: async ({ file }) => ({
    ok: false,
    code: 'missing',
    message: `there is no model ${file} in this world`,
  }),
};
