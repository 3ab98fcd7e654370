import type { SentQuery } from '#contract/http/endpoint.ts';
import type { EndpointName, EveryEndpoint } from '#contract/every-endpoint.ts';
import { addressOf } from '../call/call.ts';
import type { EarlyRead } from '../call/early-answer.ts';
import { USER_KEY } from '../call/session.tsx';
import { deploymentKey, DEPLOYMENTS_KEY, performanceKey } from '../deployments/deployment-queries.ts';
import { feeBillsKey } from '../fees/fee-queries.ts';
import { PORTFOLIO_KEY } from '../portfolio/portfolio-queries.ts';
import { statementKey } from '../portfolio/statement-queries.ts';
import { strategyKey } from '../strategies/strategy-queries.ts';

/** Stands for the one in the page's address. */
const ID = '{id}';
const STATEMENT = { period: 'month', method: 'fifo' } as const;

/**
 * What the first figures of a page are read from, by the page's path. The document names these addresses, so that they
 * are asked for before the app has loaded. The person themselves is read on every page.
 */
const READS: Readonly<Record<string, readonly EarlyRead[]>> = {
  '/strategy/:id': [read(strategyKey(ID), 'getStrategy')],
  '/dashboard': [read(DEPLOYMENTS_KEY, 'listDeployments')],
  '/deployed-strategies': [read(DEPLOYMENTS_KEY, 'listDeployments')],
  '/deployed-strategies/:id': [
    read(deploymentKey(ID), 'getDeployment'),
    read(performanceKey(ID, 'ALL'), 'getDeploymentPerformance', { timeframe: 'ALL' }),
  ],
  '/portfolio': [read(PORTFOLIO_KEY, 'getPortfolio')],
  '/statements': [read(statementKey(STATEMENT), 'getStatement', STATEMENT)],
  '/fees': [read(feeBillsKey({}), 'listFeeBills')],
};

export function earlyReads(path: string): readonly EarlyRead[] {
  return [read(USER_KEY, 'getMe'), ...(READS[path] ?? [])];
}

function read<Name extends EndpointName>(
  key: EarlyRead['key'],
  name: Name,
  query: SentQuery<EveryEndpoint[Name]> | undefined = undefined,
): EarlyRead {
  const input = {
    params: { id: ID },
    ...(query !== undefined && { query: query as Record<string, unknown> }),
  };
  return { address: addressOf(name, input).replace(encodeURIComponent(ID), ID), key };
}
