import { ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { TextLink } from '../../kit/control/text-link.tsx';
import type { BrokerGuide, BrokerManual } from './broker-guides.ts';

export function AvailableBroker({
  guide,
  manual,
  isOwn,
}: {
  guide: BrokerGuide;
  manual: BrokerManual;
  /** The installation trades the account of its own keys. */
  isOwn: boolean;
}) {
  return (
    <div className="grid gap-12">
      <Part title={guide.name}>
        <p className="prose-width text-ink-soft">{guide.about}</p>
        <p className="mt-3 text-ink-soft">Supported assets: {guide.supportedAssets.join(', ')}</p>
        <h3 className="mt-6 text-base font-medium">Requirements</h3>
        <ul className="prose-width mt-2 grid list-disc gap-1.5 pl-5 text-ink-soft">
          {manual.requirements.map((requirement) => (
            <li key={requirement}>{requirement}</li>
          ))}
        </ul>
      </Part>
      <Part title={`${manual.setUp.length === 4 ? 'Four' : 'Three'} steps to set it up`}>
        <Numbered items={manual.setUp} />
      </Part>
      <Part title="Deploying a model">
        <Numbered items={[...DEPLOYING, ...(isOwn ? OWN_ACCOUNT : connecting(guide.name))]} />
      </Part>
      <Part title="What works">
        <ul className="grid gap-x-8 sm:grid-cols-2">
          {guide.features.map((feature) => (
            <li key={feature} className="border-t py-2.5 text-ink-soft">
              {feature}
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Troubleshooting">
        <dl className="grid gap-5">
          {manual.troubles.map(([name, text]) => (
            <div key={name} className="border-t pt-3">
              <dt className="font-medium">{name}</dt>
              <dd className="prose-width mt-1 text-ink-soft">{text}</dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part title="Resources">
        <ul className="grid gap-2">
          {manual.resources.map(([name, url]) => (
            <li key={url}>
              <a
                href={url}
                target="_blank"
                rel="noreferrer"
                className="inline-flex items-center gap-1.5 text-accent underline decoration-current/35 underline-offset-4 hover:decoration-current"
              >
                {name}
                <ArrowUpRight className="size-4" aria-hidden="true" />
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            </li>
          ))}
        </ul>
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-3 font-serif text-xl">{title}</h2>
      {children}
    </section>
  );
}

function Numbered({ items }: { items: readonly { title: string; text: ReactNode }[] }) {
  return (
    <ol className="grid gap-4">
      {items.map((item, i) => (
        <li key={item.title} className="grid grid-cols-[2rem_1fr] border-t pt-3">
          <span className="figures font-serif text-lg text-ink-faint" aria-hidden="true">
            {i + 1}
          </span>
          <div>
            <p className="font-medium">{item.title}</p>
            <p className="prose-width mt-1 text-ink-soft">{item.text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

const DEPLOYING = [
  {
    title: 'Choose a model',
    text: (
      <>
        Browse the <TextLink to="/marketplace">marketplace</TextLink> and open the strategy’s page.
      </>
    ),
  },
  { title: 'Deploy Now', text: 'Press the button and sign in, if you have not yet.' },
  {
    title: 'Onboarding',
    text: 'Answer the risk questionnaire, then read and sign what the next step shows.',
  },
];

const OWN_ACCOUNT = [
  {
    title: 'Use this account',
    text: 'The account of the keys that this installation was started with is connected already.',
  },
];

const connecting = (name: string) => [
  { title: 'Select Your Broker', text: `Choose ${name}.` },
  {
    title: 'Click Here To Connect',
    text: 'The broker’s sign-in opens in a new window. Allow it if your browser asks.',
  },
  {
    title: 'Wait for the connection',
    text: 'This page continues once the broker confirms.',
  },
];
