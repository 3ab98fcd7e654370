import type { EndpointName } from '../every-endpoint.ts';
import type { Refusal } from '../http/error-code.ts';
import agreements from './agreements.json' with { type: 'json' };
import apiKeys from './api-keys.json' with { type: 'json' };
import backtests from './backtests.json' with { type: 'json' };
import billing from './billing.json' with { type: 'json' };
import brokerage from './brokerage.json' with { type: 'json' };
import deployments from './deployments.json' with { type: 'json' };
import downloads from './downloads.json' with { type: 'json' };
import fees from './fees.json' with { type: 'json' };
import identity from './identity.json' with { type: 'json' };
import leaving from './leaving.json' with { type: 'json' };
import news from './news.json' with { type: 'json' };
import notifications from './notifications.json' with { type: 'json' };
import operations from './operations.json' with { type: 'json' };
import portfolio from './portfolio.json' with { type: 'json' };
import staff from './staff.json' with { type: 'json' };
import strategies from './strategies.json' with { type: 'json' };
import strategyBuilder from './strategy-builder.json' with { type: 'json' };
import suitability from './suitability.json' with { type: 'json' };
import webhooks from './webhooks.json' with { type: 'json' };

/** One call with its request, its response, and its refusals. */
export type Example = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer?: unknown;
  /** By code; text where the refusal is a page. */
  readonly refusals: Readonly<Record<string, Refusal | string>>;
};

/**
 * Real responses of the server, recorded by the test of every call; the document's test checks them against the
 * contract.
 */
export const EVERY_EXAMPLE = {
  ...identity,
  ...apiKeys,
  ...suitability,
  ...strategies,
  ...strategyBuilder,
  ...backtests,
  ...agreements,
  ...brokerage,
  ...deployments,
  ...portfolio,
  ...notifications,
  ...news,
  ...webhooks,
  ...billing,
  ...fees,
  ...downloads,
  ...leaving,
  ...operations,
  ...staff,
} as unknown as Readonly<Partial<Record<EndpointName, Example>>>;
