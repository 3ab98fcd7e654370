// The credentials of a practice account say whose they are: the key that no broker's credentials have.
import type { BrokerCredentials } from '#ports/broker.ts';

export function practiceCredentials(accessToken: string): BrokerCredentials {
  return { practiceVenue: true, accessToken };
}

export function isPracticeCredentials(credentials: BrokerCredentials): boolean {
  return 'practiceVenue' in credentials;
}
