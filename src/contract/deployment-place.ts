import { z } from 'zod';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { OF_OWN_DEPLOYMENT } from './own-deployment.ts';

const place = z
  .object({
    /** 1: the next one. */
    number: z.number().int(),
    /** The request to add money that waits; null where the deployment itself does. */
    flow: z.string().nullable(),
    /** Dollars, these four. */
    amount: z.number(),
    /** What others with an earlier place wait with. */
    amount_before: z.number(),
    /** What the strategy takes in all; null where nothing limits it any more. */
    capacity: z.number().nullable(),
    /** What is in it, or has been let in. */
    in_use: z.number(),
    /** Real time: earlier ones come first. */
    signed_at: z.string(),
    /** What happens next, and how to leave. */
    note: z.string(),
  })
  .meta({ id: 'QueuePlace' });

export const placeEndpoints = {
  getDeploymentPlace: endpoint(ROUTES.getDeploymentPlace, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'The place of a deployment in the queue of its strategy',
    description:
      'Beyond the capacity of a strategy new money waits, the first that was signed first. Null where nothing of the deployment waits. Stop the deployment, or cancel the request to add money, to leave the queue.',
    answer: z.object({ place: place.nullable() }).meta({ id: 'DeploymentPlace' }),
  }),
} as const;
