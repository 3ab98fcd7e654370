import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { listBrokers as list } from '#records/brokerage/brokers.ts';
import type { Call } from '../http/call.ts';
import { showBroker } from './show-broker.ts';

export const listBrokers: Call<typeof brokerageEndpoints.listBrokers> = async (
  _input,
  { records, brokers },
) => (await list(records.database)).map((broker) => showBroker(broker, brokers));
