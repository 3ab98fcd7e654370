// What a model has to do with a strategy: one of four, said on each listing.
export const MODEL_ROLES = ['decides', 'wrote_rules', 'column', 'none'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** A model that decides outweighs one that scores, and that outweighs one that wrote. */
export function modelRoleOf({
  decides,
  scores,
  wrote,
}: {
  readonly decides: boolean;
  readonly scores: boolean;
  readonly wrote: boolean;
}): ModelRole {
  if (decides) return 'decides';
  if (scores) return 'column';
  return wrote ? 'wrote_rules' : 'none';
}

export const MODEL_ROLE_WORDS: Readonly<Record<ModelRole, string>> = {
  decides: 'A model decides',
  wrote_rules: 'A model wrote the rules',
  column: 'A model is one column',
  none: 'No model',
};
