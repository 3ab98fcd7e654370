import type { EndpointName } from '#contract/every-endpoint.ts';
import { addressOf } from './call.ts';
import { readAccessToken } from './tokens.ts';

/** What a call answers as bytes. Asked for after a call of the same page, which has refreshed the session. */
export async function callBytes(
  name: EndpointName,
  { signal, ...input }: Parameters<typeof addressOf>[1] & { readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const response = await fetch(addressOf(name, input), {
    headers: { authorization: `Bearer ${readAccessToken() ?? ''}` },
    signal,
  });
  if (!response.ok) throw new Error(`the prices answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
