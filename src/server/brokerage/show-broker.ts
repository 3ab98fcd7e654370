import type { Broker } from '#contract/brokerage.ts';
import type { Broker as BrokerPort } from '#ports/broker.ts';
import type { BrokerRecord } from '#records/brokerage/brokers.ts';

export function showBroker(record: BrokerRecord, port: BrokerPort): Broker {
  return {
    id: record.id,
    name: record.name,
    logo: record.logo,
    description: record.description,
    broker_type: record.brokerType,
    supported_assets: [...record.supportedAssets],
    status: record.status,
    linked_by: record.slug === port.vendor ? (port.linksAccounts ?? null) : null,
  };
}
