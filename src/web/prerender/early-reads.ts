import type { SentQuery } from '#contract/http/endpoint.ts';
import type { EndpointName, EveryEndpoint } from '#contract/every-endpoint.ts';
import { addressOf } from '../call/call.ts';

/**
 * What the first figures of a page are read from, by the page's path. The document names these addresses, so that they
 * are asked for before the app has loaded. The person themselves is read on every page.
 */
const READS: Readonly<Record<string, readonly string[]>> = {
  '/strategy/:id': [read('getStrategy')],
  '/dashboard': [read('listDeployments')],
  '/deployed-strategies': [read('listDeployments')],
  '/deployed-strategies/:id': [read('getDeployment'), read('getDeploymentPerformance', { timeframe: 'ALL' })],
  '/portfolio': [read('getPortfolio')],
  '/statements': [read('getStatement', { period: 'month', method: 'fifo' })],
  '/fees': [read('listFeeBills')],
};

/** `{id}` stands for the one in the page's address. */
export function earlyReads(path: string): readonly string[] {
  return [read('getMe'), ...(READS[path] ?? [])];
}

function read<Name extends EndpointName>(
  name: Name,
  query: SentQuery<EveryEndpoint[Name]> | undefined = undefined,
): string {
  const input = {
    params: { id: '{id}' },
    ...(query !== undefined && { query: query as Record<string, unknown> }),
  };
  return addressOf(name, input).replace(encodeURIComponent('{id}'), '{id}');
}
