import type { DecidedInstrument, DecisionReceipt, decisionsEndpoints } from '#contract/decisions.ts';
import { checksOf } from '#engine/decision/checks.ts';
import type { Sizing } from '#engine/decision/sizing.ts';
import { shareBefore } from '#engine/order/rotation.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { findDecision, type StoredDecision } from '#records/deployments/decisions.ts';
import { checkText, decisionTitle, rotationText } from '#rules/reasons/decision-text.ts';
import { refusalReason } from '#rules/reasons/refusal-reason.ts';
import { columnWords, figure } from '#rules/reasons/target-reason.ts';
import { fromMicro } from '#units/money.ts';
import { fromQuantity, quantity } from '#units/quantity.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { evaluationOf, reasonTexts, storedDefinition } from './reasons-by-symbol.ts';

export const getDecision: Call<typeof decisionsEndpoints.getDeploymentDecision> = async (
  { params, caller },
  { records: { pool } },
) => {
  const decision = await findDecision(pool, { ...params, userId: caller.userId });
  if (decision === undefined) return notFound();
  const { id, at, asOf, strategyName, orders, decision: record } = decision;
  return {
    id,
    at: at.toISOString(),
    as_of: asOf.toISOString(),
    strategy_name: strategyName,
    title: decisionTitle(orders.map(({ side }) => side)),
    cash: fromMicro(record.cash),
    rotation: rotationOf(decision),
    instruments: record.sizings.map((sizing) => showInstrument(sizing, decision)),
  };
};

function rotationOf({ versionId, turn, connectionId, orders }: StoredDecision): DecisionReceipt['rotation'] {
  if (turn === null || orders.length === 0) return null;
  const before = Math.round(shareBefore({ versionId, turn }, connectionId) * 100);
  return { turn, before_percent: before, note: rotationText(turn, before) };
}

function showInstrument(sizing: Sizing, decision: StoredDecision): DecidedInstrument {
  const { symbol, mark, held, asked, allowed, desired } = sizing;
  const evaluated = evaluationOf(decision, symbol);
  const order = decision.orders.find((one) => one.symbol === symbol);
  const refusals = decision.refusals.filter((one) => one.symbol === symbol);
  const isSettled = desired !== null && desired === held;
  const checks = checksOf(
    refusals.map(({ code }) => code),
    { isOrdered: order !== undefined, isSettled },
  );
  return {
    ticker: symbol,
    before_percent: percent(evaluated?.weightBefore ?? 0),
    asked_percent: percent(asked),
    allowed_percent: allowed === null ? null : percent(allowed),
    held: fromQuantity(held),
    desired: desired === null ? null : fromQuantity(desired),
    price: mark,
    reasons: [...reasonTexts(decision, symbol)],
    features: featuresOf(evaluated?.features ?? {}, storedDefinition(decision.definition)),
    checks: checks.map(({ check, result, code }) => {
      const refusal = refusals.find((one) => one.code === code);
      return { check, text: checkText(check), result, code, reason: refusal ? refusalReason(refusal) : null };
    }),
    order:
      order === undefined
        ? null
        : {
            side: order.side,
            quantity: fromQuantity(quantity(order.quantity)),
            limit_price: order.limitPrice,
            client_order_id: order.clientOrderId,
          },
  };
}

function featuresOf(
  features: { readonly [name: string]: number | null },
  definition: StrategyDefinition,
): DecidedInstrument['features'] {
  return Object.entries(features).map(([name, value]) => {
    const words = columnWords(name, definition);
    return {
      name,
      value,
      text: `${words}: ${value === null ? 'not known yet' : figure(value, name, definition)}`,
    };
  });
}

function percent(weight: number): number {
  return Math.round(weight * 100_000) / 1_000;
}
