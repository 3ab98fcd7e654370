import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { findBroker } from '#records/brokers.ts';
import type { Call } from '../call.ts';
import { notFound } from '../refusal.ts';
import { showBroker } from './show-broker.ts';

export const getBroker: Call<typeof brokerageEndpoints.getBroker> = async (
  { params },
  { records, broker: port },
) => {
  const broker = await findBroker(records.database, params.id);
  return broker ? showBroker(broker, port) : notFound();
};
