import { ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { TextLink } from '../../kit/control/text-link.tsx';
import type { BrokerGuide } from './broker-guides.ts';

export function AvailableBroker({ guide }: { guide: BrokerGuide }) {
  return (
    <div className="grid gap-12">
      <Part title={guide.name}>
        <p className="prose-width text-ink-soft">{guide.about}</p>
        <p className="mt-3 text-ink-soft">Supported assets: {guide.supportedAssets.join(', ')}</p>
        <h3 className="mt-6 text-base font-medium">Requirements</h3>
        <ul className="prose-width mt-2 grid list-disc gap-1.5 pl-5 text-ink-soft">
          <li>An approved and funded account in your own name.</li>
          <li>Trading permissions for the kinds of assets that your strategy trades.</li>
          <li>
            $25,000 to day trade actively in the USA, slightly more advised. That rule was replaced in 2026;
            the requirement of your own broker applies.
          </li>
        </ul>
      </Part>
      <Part title="Four steps to set it up">
        <Numbered items={SET_UP} />
      </Part>
      <Part title="Deploying a model">
        <Numbered items={DEPLOYING} />
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
          {TROUBLES.map(([name, text]) => (
            <div key={name} className="border-t pt-3">
              <dt className="font-medium">{name}</dt>
              <dd className="prose-width mt-1 text-ink-soft">{text}</dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part title="Resources">
        <ul className="grid gap-2">
          {RESOURCES.map(([name, url]) => (
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

const SET_UP = [
  { title: 'Open the account', text: 'Apply at the broker and wait until the account is approved.' },
  { title: 'Fund it', text: 'Transfer at least the amount that you want to deploy.' },
  {
    title: 'Ask for permissions',
    text: 'In the account settings, allow the kinds of assets that your strategy trades.',
  },
  {
    title: 'Secure the sign-in',
    text: 'Switch on the broker’s two-factor sign-in; you need it when connecting.',
  },
];

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
  { title: 'Onboarding', text: 'Answer the risk questionnaire, then sign the agreement.' },
  { title: 'Select Your Broker', text: 'Choose Interactive Brokers.' },
  {
    title: 'Click Here To Connect',
    text: 'The broker’s sign-in opens in a new window. Allow it if your browser asks.',
  },
  {
    title: 'Wait for the connection',
    text: 'This page continues once the broker confirms.',
  },
];

/** Specification section 8. */
const TROUBLES = [
  ['Connection Failed', 'The broker’s interface can be unreliable. Wait a moment and log in again.'],
  ['Authentication Error', 'Verify your credentials, and that API access is enabled for your account.'],
  ['Order Rejected', 'Check the account’s permissions, its buying power and the order’s parameters.'],
  [
    'Daily Reset',
    'The broker’s interface resets daily between 23:45 and 00:45 ET for North America. Orders wait until it is back.',
  ],
] as const;

const RESOURCES = [
  ['Interactive Brokers', 'https://www.interactivebrokers.com/'],
  ['Web API documentation', 'https://www.interactivebrokers.com/campus/ibkr-api-page/webapi-doc/'],
  ['System status', 'https://www.interactivebrokers.com/en/software/systemStatus.php'],
] as const;
