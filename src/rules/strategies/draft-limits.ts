// How much one person may keep of strategies that are not published. Promises a sentence with the way out.

export const DRAFTS_MAX = 100;
/** Each changed definition is one. */
export const DRAFT_VERSIONS_MAX = 500;

/** Null while another draft may be kept. */
export function tooManyDrafts(drafts: number): string | null {
  if (drafts < DRAFTS_MAX) return null;
  return `You have ${DRAFTS_MAX} drafts, as many as one person may have. Remove one first.`;
}

/** Null while the draft may have another version. */
export function tooManyVersions(versions: number): string | null {
  if (versions < DRAFT_VERSIONS_MAX) return null;
  return `This draft has ${DRAFT_VERSIONS_MAX} versions, as many as it may have. Go on in a new draft.`;
}
