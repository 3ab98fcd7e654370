// Checks the notices of DocuSign Connect: HMAC-SHA256 over the bytes as they came, in base64, one header for each of the
// vendor's active keys. Any match counts, so that a key can be changed without losing a notice.
import { createHmac, timingSafeEqual } from 'node:crypto';

export function isSignedByVendor(
  body: Uint8Array,
  signatures: readonly string[],
  keys: readonly string[],
): boolean {
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(body).digest();
    return signatures.some((signature) => {
      const sent = Buffer.from(signature, 'base64');
      return sent.length === expected.length && timingSafeEqual(sent, expected);
    });
  });
}

/** The envelope that a notice is about; undefined where it names none. */
export function envelopeOfNotice(body: Uint8Array): string | undefined {
  try {
    const { data } = JSON.parse(Buffer.from(body).toString('utf8')) as { data?: { envelopeId?: unknown } };
    return typeof data?.envelopeId === 'string' ? data.envelopeId : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
