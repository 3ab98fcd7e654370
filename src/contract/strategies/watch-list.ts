import { z } from 'zod';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';

/** The ids of the strategies that a person watches, newest first. */
const watchList = z.object({ strategies: z.array(z.string()) }).meta({ id: 'WatchList' });

export const watchListEndpoints = {
  listWatchedStrategies: endpoint(ROUTES.listWatchedStrategies, {
    room: 'strategies',
    summary: 'The strategies that you watch, newest first',
    description: 'Their ids. A strategy that was taken out of the marketplace is not among them.',
    security: 'bearer',
    status: 200,
    answer: watchList,
    refusals: [],
  }),
  watchStrategy: endpoint(ROUTES.watchStrategy, {
    room: 'strategies',
    summary: 'Watch a published strategy',
    description: 'Watching it again changes nothing. Answers the whole list.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: watchList,
    refusals: ['not_found'],
  }),
  unwatchStrategy: endpoint(ROUTES.unwatchStrategy, {
    room: 'strategies',
    summary: 'Stop watching a strategy',
    description: 'Answers the whole list. One that you do not watch is not found.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: watchList,
    refusals: ['not_found'],
  }),
} as const;
