// What we need of a service that checks who a person is: documents, and whether a sanctions list names them.
import type { UserId } from '#units/identifiers.ts';

export interface IdentityCheckPort {
  /** A vendor's name, kept with each finding. */
  readonly provider: string;
  /** Undefined when the service did not answer: nothing is known then, and nothing is kept. */
  check(person: CheckedPerson): Promise<IdentityFinding | undefined>;
}

export interface CheckedPerson {
  readonly userId: UserId;
  readonly name: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

export interface IdentityFinding {
  /** The service's own name for this check. */
  readonly reference: string;
  /** `review`: a person must decide. */
  readonly status: 'passed' | 'review' | 'failed';
  readonly documents: 'verified' | 'unclear' | 'rejected';
  /** The lists that name the person; empty for none. */
  readonly sanctions: readonly { readonly list: string; readonly name: string }[];
}
