import { PROVIDER } from '../call/provider.ts';

/** A page prerendered at build for visitors. */
type PublicPage = {
  /** As in the list of screens. */
  readonly path: string;
  /** What the screen calls itself; none: only the product's name. */
  readonly title?: string;
  readonly description: string;
};

/** Every public page, with what a search result says of it. */
export const PUBLIC_PAGES: readonly PublicPage[] = [
  {
    path: '/',
    description:
      'Browse AI-driven trading strategies, see what speaks for and against each, and run the one you choose in your own broker account, within your own limits.',
  },
  {
    path: '/marketplace',
    title: 'AI Model Marketplace',
    description:
      'Every strategy with its own record after costs, its worst fall, its risk score and how far to believe it. Search by market, risk and type.',
  },
  {
    path: '/strategy/:id',
    title: 'Strategy',
    description:
      'What the strategy earned in its backtest and since, what speaks against it, and the evidence that your browser can check itself.',
  },
  {
    path: '/login',
    title: 'Sign In',
    description: 'Sign in to see how your strategies are doing, or open a free account.',
  },
  {
    path: '/broker-documentations',
    title: 'Broker Documentation',
    description:
      'How to connect your brokerage account: requirements, set-up in four steps, what is supported, and what to do when something fails.',
  },
  {
    path: '/faq',
    title: 'Frequently Asked Questions',
    description:
      'A summary of our relationship with you: what we do, what it costs, which strategies you may use, and what can go wrong.',
  },
  {
    path: '/hypothetical-performance-disclosures',
    title: 'Hypothetical Performance Disclosures',
    description: 'How the results of strategies are computed, and why no real account may do as well.',
  },
  {
    path: '/legal-disclosures',
    title: 'Legal Disclosures',
    description: `Who ${PROVIDER.companyName} is, how it is licensed and paid, and which risks you take.`,
  },
  {
    path: '/privacy-policy',
    title: 'Privacy Policy',
    description: 'Which personal data we keep, why, for how long, and what you can ask of us.',
  },
  {
    path: '/terms-of-use',
    title: 'Terms of Use',
    description:
      'The terms on which you use this service, the law that applies and where disputes are heard.',
  },
  {
    path: '/cookie-policy',
    title: 'Cookie Policy',
    description: 'What this site keeps in your browser, for what, and how to remove it.',
  },
  {
    path: '/aml-program',
    title: 'Anti-Money-Laundering Program',
    description: 'How we know our clients, watch for money laundering and keep our records.',
  },
];
