/** support: the operations desk. provider: what the catalogue shows. auditor: the audit log. admin: who is staff, and the audit log. */
export const STAFF_ROLES = ['support', 'provider', 'auditor', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];
