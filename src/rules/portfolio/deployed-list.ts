// The tiles, the filters and the order of the deployed list (specification, section 2, Deployed strategies).
import { type StatusFilter, matchesStatusFilter } from '../deployments/status-label.ts';
import { type DeploymentStatus, hasEnded } from '#engine/lifecycle/status.ts';

export const DEPLOYED_SORTS = ['performance', 'date', 'value'] as const;
export type DeployedSort = (typeof DEPLOYED_SORTS)[number];

/** What the list must know of one deployment; money in any one unit. */
export type DeployedItem = {
  readonly name: string;
  readonly status: DeploymentStatus;
  /** Profit and loss since the start, realised and not. */
  readonly pnl: number;
  readonly pnlPercent: number;
  readonly value: number;
  /** ISO 8601. */
  readonly deployedAt: string;
  readonly daysActive: number;
  readonly openPositions: number;
};

type DeployedTiles = {
  readonly active: number;
  readonly openPositions: number;
  readonly profitable: number;
  /** Whole days, of the deployments that have not ended; null when there are none. */
  readonly averageDaysActive: number | null;
};

export function deployedTiles(items: readonly DeployedItem[]): DeployedTiles {
  const running = items.filter((item) => !hasEnded(item.status));
  const days = running.reduce((sum, item) => sum + item.daysActive, 0);
  return {
    active: items.filter((item) => item.status === 'active').length,
    openPositions: items.reduce((sum, item) => sum + item.openPositions, 0),
    profitable: items.filter((item) => item.pnl > 0).length,
    averageDaysActive: running.length === 0 ? null : Math.round(days / running.length),
  };
}

/** The items that match the search (case-insensitive part of the name) and the filter, in the requested order. */
export function arrangeDeployed<Item extends DeployedItem>(
  items: readonly Item[],
  wanted: { readonly search: string; readonly status: StatusFilter; readonly sort: DeployedSort },
): readonly Item[] {
  const search = wanted.search.trim().toLowerCase();
  return items
    .filter(
      (item) => item.name.toLowerCase().includes(search) && matchesStatusFilter(item.status, wanted.status),
    )
    .sort(ORDERS[wanted.sort]);
}

const ORDERS: Readonly<Record<DeployedSort, (left: DeployedItem, right: DeployedItem) => number>> = {
  performance: (left, right) => right.pnlPercent - left.pnlPercent,
  date: (left, right) => Date.parse(right.deployedAt) - Date.parse(left.deployedAt),
  value: (left, right) => right.value - left.value,
};
