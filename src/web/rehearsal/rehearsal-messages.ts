// What a page and its rehearsal worker say to each other.
import type { Rehearsal, RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import type { Holdings } from './holdings.ts';

export type RehearsalRequest =
  | {
      readonly kind: 'load';
      readonly passportUrl: string;
      readonly barsUrl: string;
      /** Of whoever is signed in: figures may be hidden from visitors. */
      readonly token: string | null;
    }
  | { readonly kind: 'rehearse'; readonly terms: RehearsalTerms };

export type RehearsalAnswer =
  | { readonly kind: 'loading'; readonly receivedBytes: number }
  /** `holdings`: what the strategy wants held after the newest close. */
  | { readonly kind: 'loaded'; readonly holdings: Holdings }
  | { readonly kind: 'rehearsed'; readonly rehearsal: Rehearsal }
  /** isRepeatable: another try may succeed. */
  | { readonly kind: 'failed'; readonly message: string; readonly isRepeatable: boolean };
