/** support: the operations desk. provider: what the catalogue shows. admin: who is staff. */
export const STAFF_ROLES = ['support', 'provider', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];
