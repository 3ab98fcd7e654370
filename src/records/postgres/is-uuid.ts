/** Whether a text can be an id in the database: no other text identifies a row. */
export function isUuid<Id extends string>(text: string): text is Id {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}
