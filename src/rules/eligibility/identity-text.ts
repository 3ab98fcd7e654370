/** What is known of a person's identity. `not_checked`: nobody has looked, because no service is set up. */
export const IDENTITY_STATUSES = ['not_checked', 'passed', 'review', 'failed'] as const;
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

export function identityText(status: IdentityStatus): string {
  switch (status) {
    case 'not_checked':
      return 'Not checked. We rely on what you say and on what your broker has checked.';
    case 'passed':
      return 'Checked: documents and sanctions lists.';
    case 'review':
      return 'A person of ours is looking at the check. We write to you when it is done.';
    case 'failed':
      return 'The check did not pass. Please write to us.';
    default:
      return status satisfies never;
  }
}
