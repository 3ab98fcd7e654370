import type { EndpointName } from '#contract/every-endpoint.ts';
import { offerFile } from '../kit/page/offer-file.ts';
import { addressOf } from './call.ts';
import { readAccessToken } from './tokens.ts';

/** Saves what a call answers as a file: a link of the page would send no access token. */
export async function saveFile(
  name: EndpointName,
  fileName: string,
  input: Parameters<typeof addressOf>[1] = {},
): Promise<void> {
  const response = await fetch(addressOf(name, input), {
    headers: { authorization: `Bearer ${readAccessToken() ?? ''}` },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  if (!response.ok) throw new Error(`the file answered ${response.status}`);
  offerFile(await response.blob(), fileName);
}

const ANSWER_WITHIN_MS = 60_000;
