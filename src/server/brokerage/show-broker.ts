import type { Broker } from '#contract/brokerage.ts';
import { type Brokers, findBrokerOf } from '#ports/brokers.ts';
import type { BrokerRecord } from '#records/brokerage/brokers.ts';

export function showBroker(record: BrokerRecord, brokers: Brokers): Broker {
  const port = findBrokerOf(brokers, record.slug);
  return {
    id: record.id,
    name: record.name,
    logo: record.logo,
    description: record.description,
    broker_type: record.brokerType,
    supported_assets: [...record.supportedAssets],
    status: port === undefined && record.status === 'available' ? 'not_set_up' : record.status,
    linked_by: port?.linksAccounts ?? null,
  };
}
