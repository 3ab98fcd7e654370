import { useState } from 'react';
import type { Broker } from '#contract/brokerage.ts';
import { BROKER_STATUS_WORDS } from '../../brokerage/broker-status-words.ts';
import { useBrokers } from '../../brokerage/brokerage-queries.ts';
import { useHasProvider } from '../../call/installation.ts';
import { Badge } from '../../kit/state/badge.tsx';
import { classNames } from '../../kit/class-names.ts';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { AvailableBroker } from './available-broker.tsx';
import { BROKER_GUIDES, type BrokerGuide } from './broker-guides.ts';
import { ComingSoon } from './coming-soon.tsx';

export function BrokerDocumentation() {
  usePageTitle('Broker Documentation');
  const hasProvider = useHasProvider();
  const { data: brokers } = useBrokers();
  const [picked, setPicked] = useState<BrokerGuide | null>(null);
  const statusOf = (guide: BrokerGuide) => statusIn(brokers, guide);
  const isAvailable = (guide: BrokerGuide) => statusOf(guide) === 'available';
  const guides = [
    ...BROKER_GUIDES.filter(isAvailable),
    ...BROKER_GUIDES.filter((guide) => !isAvailable(guide)),
  ];
  const chosen = picked ?? guides[0] ?? BROKER_GUIDES[0];
  return (
    <>
      <PageTitle
        lead={`Your strategies trade in your own brokerage account.${hasProvider ? ' This is how to connect it.' : ''}`}
      >
        Broker Documentation
      </PageTitle>
      <div className="mt-10 grid gap-x-12 gap-y-8 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <nav aria-label="Brokers">
          <ul className="grid gap-1 lg:sticky lg:top-24">
            {guides.map((guide) => (
              <li key={guide.name}>
                <button
                  type="button"
                  aria-current={guide === chosen ? 'true' : undefined}
                  onClick={() => setPicked(guide)}
                  className={classNames(
                    'flex w-full items-center justify-between gap-3 rounded-control px-3 py-2.5 text-left text-sm transition-colors',
                    guide === chosen
                      ? 'bg-accent-wash text-ink'
                      : 'text-ink-soft hover:bg-raised hover:text-ink',
                  )}
                >
                  {guide.name}
                  <StatusBadge status={statusOf(guide)} />
                </button>
              </li>
            ))}
          </ul>
        </nav>
        {chosen.manual !== null && statusOf(chosen) !== 'coming_soon' ? (
          <AvailableBroker
            guide={chosen}
            manual={chosen.manual}
            isOwn={brokers?.find(({ name }) => name === chosen.name)?.linked_by === 'operator'}
          />
        ) : (
          <ComingSoon guide={chosen} />
        )}
      </div>
    </>
  );
}

/**
 * Until the list is there, and in the page made at the build, the broker that the product is built around is available; of
 * another one that has a manual it is not known: null.
 */
function statusIn(
  brokers: readonly Broker[] | undefined,
  { name, manual }: BrokerGuide,
): Broker['status'] | null {
  const listed = brokers?.find((broker) => broker.name === name)?.status;
  if (listed !== undefined) return listed;
  if (manual === null) return 'coming_soon';
  return name === BROKER_GUIDES[0].name ? 'available' : null;
}

function StatusBadge({ status }: { status: Broker['status'] | null }) {
  return status && <Badge>{BROKER_STATUS_WORDS[status]}</Badge>;
}
