/** What to print, and whether it was done. */
export type StaffResult = { readonly ok: boolean; readonly lines: readonly string[] };
