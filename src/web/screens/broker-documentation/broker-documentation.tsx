import { useState } from 'react';
import { Badge } from '../../kit/state/badge.tsx';
import { classNames } from '../../kit/class-names.ts';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { AvailableBroker } from './available-broker.tsx';
import { BROKER_GUIDES } from './broker-guides.ts';
import { ComingSoon } from './coming-soon.tsx';

export function BrokerDocumentation() {
  usePageTitle('Broker Documentation');
  const [chosen, setChosen] = useState(BROKER_GUIDES[0]);
  return (
    <>
      <PageTitle lead="Your strategies trade in your own brokerage account. This is how to connect it.">
        Broker Documentation
      </PageTitle>
      <div className="mt-10 grid gap-x-12 gap-y-8 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <nav aria-label="Brokers">
          <ul className="grid gap-1 lg:sticky lg:top-24">
            {BROKER_GUIDES.map((guide) => (
              <li key={guide.name}>
                <button
                  type="button"
                  aria-current={guide === chosen ? 'true' : undefined}
                  onClick={() => setChosen(guide)}
                  className={classNames(
                    'flex w-full items-center justify-between gap-3 rounded-control px-3 py-2.5 text-left text-sm transition-colors',
                    guide === chosen
                      ? 'bg-accent-wash text-ink'
                      : 'text-ink-soft hover:bg-raised hover:text-ink',
                  )}
                >
                  {guide.name}
                  <Badge>{guide.status === 'available' ? 'Available' : 'Coming soon'}</Badge>
                </button>
              </li>
            ))}
          </ul>
        </nav>
        {chosen.status === 'available' ? <AvailableBroker guide={chosen} /> : <ComingSoon guide={chosen} />}
      </div>
    </>
  );
}
