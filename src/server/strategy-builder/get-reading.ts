import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { findReading } from '#records/strategy-builder/model-readings.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showReading } from './show-reading.ts';

export const getReading: Call<typeof strategyBuilderEndpoints.getBuilderReading> = async (
  { params, caller },
  { records },
) => {
  const reading = await findReading(records.database, params.id, caller.userId);
  return reading === undefined ? notFound() : showReading(records.database, reading);
};
