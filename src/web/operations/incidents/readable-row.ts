/** A broker's row with one field a line; one that was cut, or is no JSON, as it is. */
export function readableRow(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}
