// Why a connection to a broker failed or has ended, as its owner reads it.

export type ConnectionReason =
  /** `said`: what went wrong, in words for the person. */
  | { readonly code: 'sign_in_failed'; readonly said: string }
  | { readonly code: 'permission_rejected' | 'removed_by_owner' };

export function connectionReason(reason: ConnectionReason): string {
  switch (reason.code) {
    case 'sign_in_failed':
      return reason.said;
    case 'permission_rejected':
      return 'The broker no longer accepts our permission.';
    case 'removed_by_owner':
      return 'It was removed by its owner.';
    default:
      return reason satisfies never;
  }
}
