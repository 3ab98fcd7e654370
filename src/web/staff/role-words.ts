import type { StaffRole } from '#rules/identity/staff-role.ts';

export const ROLE_WORDS: Readonly<Record<StaffRole, { readonly label: string; readonly does: string }>> = {
  support: { label: 'Support', does: 'has the operations desk: halts, proposals and incidents' },
  provider: {
    label: 'Provider',
    does: 'edits the catalogue, and publishes and retires strategies with a second person',
  },
  auditor: { label: 'Auditor', does: 'reads the audit log, and changes nothing' },
  admin: {
    label: 'Admin',
    does: 'invites staff, takes roles away, disables accounts and reads the audit log',
  },
};
