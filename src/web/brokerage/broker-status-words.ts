import type { Broker } from '#contract/brokerage.ts';

export const BROKER_STATUS_WORDS: Readonly<Record<Broker['status'], string>> = {
  available: 'Available',
  not_set_up: 'Not offered here',
  coming_soon: 'Coming soon',
};
