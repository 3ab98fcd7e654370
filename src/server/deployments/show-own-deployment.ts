import type { Deployment } from '#contract/deployments.ts';
import type { Dependencies, OwnDeployment } from '../http/dependencies.ts';
import { notFound, type Refused } from '../http/refusal.ts';

export async function showOwnDeployment(
  own: OwnDeployment,
  { findDeployment }: Dependencies,
): Promise<Deployment | Refused> {
  return (await findDeployment(own)) ?? notFound();
}
