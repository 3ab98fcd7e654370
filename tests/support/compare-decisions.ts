import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { decisionRecord } from '#engine/decision/decision-record.ts';
import type { Sizing } from '#engine/decision/sizing.ts';
import type { DeploymentState } from '#engine/deployment-state.ts';
import type { EvidenceRunInput } from '#engine/evidence/evidence-run.ts';
import { describedInstrument } from '#engine/market/derivatives/derived-instrument.ts';
import { signalSymbol } from '#engine/market/derivatives/signal-symbol.ts';
import { tradingTerms } from '#engine/risk/trading-terms.ts';
import { step } from '#engine/step.ts';
import { asTraded } from '#engine/strategy/as-traded.ts';
import { evaluate } from '#engine/strategy/evaluate.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { micro, toMicro } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { eachPublishedResult } from './each-published-result.ts';
import { WEB_ROOT } from './web-root.ts';

const DEPLOYMENT = '018f0000-0000-7000-8000-000000000001' as DeploymentId;

/** The last decision of each published strategy, made here and replayed by the worker that is served: equal. Returns how many. */
export function compareDecisions(baseUrl: string): Promise<number> {
  return eachPublishedResult(
    baseUrl,
    ({ page, input, passport, barsUrl }) =>
      replayInBrowser(page, lastDecision(input, passport.hashes.engine), barsUrl),
    (answer, name) => expect(answer, name).toEqual({ ok: true, differences: [], isSameEngine: true }),
  );
}

/** As the trader would record it for a deployment that holds a little of everything the strategy reads. */
function lastDecision(
  { definition, series, scores, instruments: known }: EvidenceRunInput,
  engine: string,
): object {
  const asOf = Math.max(
    ...definition.universe.map((symbol) => series.get(symbol)!.closedAt.at(-1)!),
  ) as Instant;
  const target = evaluate(definition, series, asOf, scores);
  const weights = asTraded(target.weights, utcDate((asOf - 1) as Instant), known);
  const symbols = new Set([...definition.universe.slice(0, 1), ...weights.map(({ symbol }) => symbol)]);
  const instruments = new Map(
    [...symbols].flatMap((symbol) => {
      const one = describedInstrument(symbol, known);
      return one === null ? [] : [[symbol, one] as const];
    }),
  );
  const [first] = definition.universe;
  const marks = new Map<Symbol, number>();
  for (const symbol of symbols) {
    const close = series.get(signalSymbol(symbol))?.close.at(-1);
    if (close !== undefined && close > 0) marks.set(symbol, close);
  }
  const held = { symbol: first!, quantity: instruments.get(first!)!.quantityStep, cost: micro(1_000_000) };
  const state: DeploymentState = {
    deploymentId: DEPLOYMENT,
    permission: 'full',
    allowsShort: definition.direction === 'long_short',
    limits: { stopLossPercentage: 10, maxAllocationPercent: 20, freezeOnDrawdownPercent: 25 },
    portfolio: { cash: toMicro(100_000), positions: new Map([[first!, held]]), realized: micro(0) },
    marks,
    peakEquity: toMicro(100_000),
    frozenAt: null,
    stoppedOut: new Map(),
    working: [],
    target: null,
    attempts: new Map(),
  };
  const trace = { sizings: [] as Sizing[] };
  const event = { type: 'target', at: asOf, id: DEPLOYMENT, weights, marks } as const;
  const { orders, refusals } = step(state, event, tradingTerms(instruments), trace);
  expect(trace.sizings.length).toBeGreaterThan(0);
  expect(held.quantity).toBeGreaterThan(quantity(0));
  return {
    engine,
    definition,
    as_of: asOf,
    target: { id: DEPLOYMENT, hash: target.hash, weights, receipt: target.receipt },
    deployment: DEPLOYMENT,
    at: asOf,
    record: decisionRecord(state, trace.sizings),
    orders: orders.map(({ clientOrderId, symbol, side, quantity: units, limitPrice }) => ({
      clientOrderId,
      symbol,
      side,
      quantity: units,
      limitPrice,
    })),
    refusals,
    instruments: [...instruments.values()],
  };
}

async function replayInBrowser(page: Page, inputs: object, barsUrl: string): Promise<unknown> {
  const file = readdirSync(path.join(WEB_ROOT, 'assets')).find((name) => /^replay-worker-.*\.js$/.test(name));
  if (file === undefined) throw new Error('the web app was built without the replay');
  return page.evaluate<unknown>(`(async () => {
    const bars = new Uint8Array(await (await fetch(${JSON.stringify(barsUrl)})).arrayBuffer());
    const inputs = ${JSON.stringify(inputs)};
    return new Promise((resolve, reject) => {
      const thread = new Worker('/assets/${file}', { type: 'module' });
      thread.addEventListener('error', ({ message }) => reject(new Error(message)));
      thread.addEventListener('message', ({ data }) => {
        thread.terminate();
        resolve(data);
      });
      thread.postMessage({ inputs, bars });
    });
  })()`);
}
