import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { findBroker } from '#records/brokerage/brokers.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showBroker } from './show-broker.ts';

export const getBroker: Call<typeof brokerageEndpoints.getBroker> = async (
  { params },
  { records, brokers },
) => {
  const broker = await findBroker(records.database, params.id);
  return broker ? showBroker(broker, brokers) : notFound();
};
