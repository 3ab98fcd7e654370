import type { RawData } from 'ws';

/** The fields of a message in a text or binary frame; none where it is no object of JSON. */
export function readMessage(data: RawData): Readonly<Record<string, unknown>> {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
