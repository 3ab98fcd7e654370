// The range of one deployment, from a rehearsal of its own terms; or why an honest one cannot be made.
import type { DeploymentId } from '#units/identifiers.ts';
import type { RehearsedDays } from '../rehearsal/rehearsal.ts';
import { type ExpectedRange, expectedRange } from './expected-range.ts';
import { type PublishedReturns, publishedReturns } from './published-returns.ts';

export type RangeOfDeployment = { readonly range: ExpectedRange; readonly published: PublishedReturns };

/** short_record: since its first trade, fewer days than a year of them. never_traded: these terms buy nothing. */
export type NoRange =
  | { readonly code: 'short_record'; readonly days: number; readonly least: number }
  | { readonly code: 'never_traded' };

export type RangeInput = {
  readonly deploymentId: DeploymentId;
  readonly rehearsed: RehearsedDays;
  readonly periodsPerYear: number;
  readonly freezeOnDrawdownPercent: number;
};

/** Three years ahead, and never further than the record reaches back: past that, blocks of days would only repeat. */
export function rangeOfDeployment(
  input: RangeInput,
): { /** Of the record since its first trade. */ readonly days: number } & (
  | { readonly ok: true; readonly made: RangeOfDeployment }
  | { readonly ok: false; readonly why: NoRange }
) {
  const { deploymentId, rehearsed, periodsPerYear, freezeOnDrawdownPercent } = input;
  const returns = sinceFirstTrade(rehearsed.returns);
  const days = returns.length;
  if (days === 0) return { days, ok: false, why: { code: 'never_traded' } };
  const published = publishedReturns(returns);
  if (days < periodsPerYear || published === null)
    return { days, ok: false, why: { code: 'short_record', days, least: periodsPerYear } };
  const sessions = Math.min(YEARS * periodsPerYear, days);
  const seed = seedOf(deploymentId);
  const range = expectedRange({ returns, sessions, freezeOnDrawdownPercent, seed });
  return { days, ok: true, made: { range, published } };
}

/** Before it, the strategy waited for its first bars; a deployment does not. */
function sinceFirstTrade(returns: Float64Array): Float64Array {
  const first = returns.findIndex((one) => one !== 0);
  return first < 0 ? returns.subarray(0, 0) : returns.subarray(first);
}

/** FNV-1a (Fowler, Noll and Vo) of the id: each deployment has its own paths, and always the same ones. */
export function seedOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash | 0;
}

const YEARS = 3;
