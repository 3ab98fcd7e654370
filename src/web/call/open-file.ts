import { addressOf, call } from './call.ts';

type Named = Parameters<typeof addressOf>;

/** Saves what a call answers as a file, under the name that the service gives it. Its link works once, so that no address opens it again. */
export async function openFile(name: Named[0], input: Named[1] = {}): Promise<void> {
  const { url } = await call('createDownloadLink', { body: { address: addressOf(name, input) } });
  const link = document.createElement('a');
  link.href = url;
  // What the service refuses then is a failed download, and the page stays.
  link.download = '';
  link.click();
}
