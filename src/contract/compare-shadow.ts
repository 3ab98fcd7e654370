import { z } from 'zod';
import { SHADOW_CAUSES } from '#engine/practice/explain-shadow.ts';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { OF_OWN_DEPLOYMENT } from './own-deployment.ts';

const shadowComparison = z
  .object({
    /** The practice deployment, and the real one beside which it goes on. */
    practice: z.string(),
    real: z.string(),
    practice_value: z.number(),
    real_value: z.number(),
    /** practice_value − real_value, and the sum of the causes. */
    difference: z.number(),
    /** Those that count for a cent or more: positive where practice gains by it. */
    causes: z.array(z.object({ cause: z.enum(SHADOW_CAUSES), amount: z.number() })),
    /** Market time of the later of both values. */
    as_of: z.string(),
  })
  .meta({ id: 'ShadowComparison' });

export type ShadowComparison = z.infer<typeof shadowComparison>;

export const compareShadow = endpoint(ROUTES.compareShadow, {
  ...OF_OWN_DEPLOYMENT,
  summary: 'Why a practice shadow is worth something else than the real deployment beside it',
  description:
    'By the id of either. Both values in dollars and cents, and causes of their difference that sum to it to the cent.',
  answer: shadowComparison,
});
