import type { StrategyDraft } from '#records/strategy-builder/strategy-drafts.ts';
import type { UserRole } from '#records/identity/users.ts';
import type { UserId } from '#units/identifiers.ts';

type Writer = { readonly userId: UserId; readonly role: UserRole };

/** Users may edit their own drafts; the provider's staff also the catalogue. Anything else is not found. */
export function mayWrite({ userId, role }: Writer, { ownerId, status }: StrategyDraft): boolean {
  if (ownerId === null) return role === 'provider';
  return ownerId === userId && status === 'draft';
}
