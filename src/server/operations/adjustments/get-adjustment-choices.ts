import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { externalProblem } from '#rules/operations/adjustment-problem.ts';
import { fromMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { type Asked, findOccasion } from './adjustment-occasion.ts';

export const getAdjustmentChoices: Call<typeof operationsEndpoints.getAdjustmentChoices> = async (
  { query: { difference, account, execution } },
  dependencies,
) => {
  const { database } = dependencies.records;
  const asked: Asked | null =
    difference !== undefined
      ? { difference }
      : account !== undefined && execution !== undefined
        ? { account, execution }
        : null;
  if (asked === null) return notFound();
  const occasion = await database.transaction().execute((trx) => findOccasion(trx, asked));
  if (occasion === undefined) return notFound();
  if (!occasion.isOpen) return refuse('already_decided', 'There is nothing left to resolve.');
  const { symbol, deployments, rule } = occasion;
  const instrument = (await listInstruments(database)).find((one) => one.symbol === symbol);
  return {
    symbol,
    currency: instrument?.currency ?? null,
    deployments: deployments.map(({ id, client, strategyName, held }) => ({
      id,
      client,
      strategy_name: strategyName,
      quantity: fromQuantity(held),
    })),
    booked: occasion.booked
      .filter(({ isUndone }) => !isUndone)
      .map(({ id, deploymentId, units, price, commission, at }) => ({
        id,
        deployment: deploymentId,
        quantity: fromQuantity(units),
        price,
        commission: fromMicro(commission),
        executed_at: at.toISOString(),
      })),
    replaces: rule.type === 'execution' && rule.revises?.isOurs ? rule.revises.id : null,
    quantity: fromQuantity(occasion.units),
    price: occasion.price,
    commission: fromMicro(occasion.commission),
    external_refusal: externalProblem(rule)?.message ?? null,
  };
};
