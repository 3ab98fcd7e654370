// How requests are authorised: each with its own signature (OAuth 1.0a) or with a bearer token (OAuth 2.0).
import type { BrokerAnswer } from '#ports/broker.ts';
import type { Priority } from '../../rate-limits.ts';
import { afterFailedRenewal, type TokenLife } from './token-life.ts';
import type { SignedRequest } from './oauth-signature.ts';

export type Authorizer = {
  /** The permit for the next requests; renewed before it expires, and requested once for all concurrent callers. */
  permit(): Promise<BrokerAnswer<Permit>>;
  /** The broker turned this permit away. */
  forget(permit: Permit): void;
};

export type Permit = {
  /** The value of the Authorization header. */
  header(request: Omit<SignedRequest, 'oauth'>): string;
  /** The query string of the stream's address. */
  readonly streamQuery: string;
  readonly life: TokenLife;
};

/** Sign-in counts against the same limits, and the most urgent request may depend on it. */
export const SIGN_IN_PRIORITY: Priority = 'cancel';

/** Caches the permit that `obtain` returns. */
export function createAuthorizer(obtain: () => Promise<BrokerAnswer<Permit>>, now: () => number): Authorizer {
  let current: Permit | null = null;
  let life: TokenLife | null = null;
  let obtaining: Promise<BrokerAnswer<Permit>> | null = null;
  return {
    permit() {
      if (current && life && now() < life.renewAt) return Promise.resolve({ outcome: 'ok', value: current });
      obtaining ??= obtain()
        .then((answer): BrokerAnswer<Permit> => {
          const stays = current && answer.outcome === 'failed' && life && afterFailedRenewal(life, now());
          if (current && stays) {
            life = stays;
            return { outcome: 'ok', value: current };
          }
          current = answer.outcome === 'ok' ? answer.value : null;
          life = current?.life ?? null;
          return answer;
        })
        .finally(() => {
          obtaining = null;
        });
      return obtaining;
    },
    forget(permit) {
      if (current === permit) current = null;
    },
  };
}
