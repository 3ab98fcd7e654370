import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';

export const getReadiness: Call<typeof operationsEndpoints.getReadiness> = async (
  _input,
  { records, logger },
) => {
  try {
    await records.pool.query('select 1');
    return { ready: true };
  } catch (error) {
    if (logger !== false) logger.warn({ err: error }, 'not ready');
    return refuse('unavailable', 'The database is not responding.');
  }
};
