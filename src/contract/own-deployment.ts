import { idParams } from './http/endpoint.ts';

/** The terms of a call that reads what belongs to one deployment of the caller. */
export const OF_OWN_DEPLOYMENT = {
  room: 'deployments',
  security: 'bearer',
  params: idParams,
  status: 200,
  refusals: ['not_found'],
} as const;
