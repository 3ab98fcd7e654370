import type { Broker } from '#contract/brokerage.ts';
import type { BrokerRecord } from '#records/brokers.ts';

export function showBroker(record: BrokerRecord): Broker {
  return {
    id: record.id,
    name: record.name,
    logo: record.logo,
    description: record.description,
    broker_type: record.brokerType,
    supported_assets: [...record.supportedAssets],
    status: record.status,
  };
}
