import type { Selectable } from 'kysely';
import type { BrokerId } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import { stableId } from '../postgres/stable-id.ts';
import type { Tables } from '../tables.ts';

export type BrokerRecord = {
  readonly id: BrokerId;
  readonly slug: string;
  readonly name: string;
  readonly logo: string;
  readonly description: string;
  readonly brokerType: string;
  readonly supportedAssets: readonly string[];
  /** not_set_up: the product trades there, and this installation does not. */
  readonly status: 'available' | 'not_set_up' | 'coming_soon';
};

/** In display order, without the practice venue. */
export async function listBrokers(database: Database): Promise<readonly BrokerRecord[]> {
  const rows = await database
    .selectFrom('brokers')
    .selectAll()
    .where('mode', '=', 'real')
    .orderBy('position')
    .orderBy('name')
    .execute();
  return rows.map(brokerRecord);
}

/** By id, or by slug. */
export async function findBroker(database: Database, idOrSlug: string): Promise<BrokerRecord | undefined> {
  const row = await database
    .selectFrom('brokers')
    .selectAll()
    .where(isUuid(idOrSlug) ? 'id' : 'slug', '=', idOrSlug)
    .where('mode', '=', 'real')
    .executeTakeFirst();
  return row && brokerRecord(row);
}

/** Written by the seed: idempotent. */
export type ListedBroker = Omit<BrokerRecord, 'id'>;

export async function keepBrokers(database: Database, brokers: readonly ListedBroker[]): Promise<void> {
  for (const [index, broker] of brokers.entries()) {
    const described = {
      name: broker.name,
      logo: broker.logo,
      description: broker.description,
      broker_type: broker.brokerType,
      supported_assets: [...broker.supportedAssets],
      status: broker.status,
      position: index + 1,
    };
    await database
      .insertInto('brokers')
      .values({ id: stableId(`broker:${broker.slug}`) as BrokerId, slug: broker.slug, ...described })
      .onConflict((conflict) => conflict.column('slug').doUpdateSet(described))
      .execute();
  }
}

function brokerRecord(row: Selectable<Tables['brokers']>): BrokerRecord {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    logo: row.logo,
    description: row.description,
    brokerType: row.broker_type,
    supportedAssets: row.supported_assets,
    status: row.status,
  };
}
