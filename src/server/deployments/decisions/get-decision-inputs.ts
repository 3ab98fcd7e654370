import { Readable } from 'node:stream';
import { PACKED_MAGIC, packSeries } from '#contract/strategies/packed-bars.ts';
import type { decisionsEndpoints } from '#contract/decisions.ts';
import { answerColumns } from '#engine/decider/recorded-answers.ts';
import { scoresOf } from '#engine/evidence/fingerprints.ts';
import { describedInstrument } from '#engine/market/derivatives/derived-instrument.ts';
import { signalSymbol } from '#engine/market/derivatives/signal-symbol.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import { listModelDecisions } from '#records/deciders/model-decisions.ts';
import { findDecision } from '#records/deployments/decisions.ts';
import { readSeries } from '#records/market/read-series.ts';
import { findInstruments } from '#records/market/instruments.ts';
import { parseInstant } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { storedDefinition } from './reasons-by-symbol.ts';

export const getDecisionInputs: Call<typeof decisionsEndpoints.getDecisionInputs> = async (
  { params, caller },
  { records: { pool, database } },
) => {
  const decision = await findDecision(pool, { ...params, userId: caller.userId });
  if (decision === undefined) return notFound();
  const { receipt, definition, asOf, at, targetId, hash, weights, orders, refusals, deploymentId } = decision;
  const { engine, ...evaluation } = receipt;
  const sized = decision.decision.sizings.map(({ symbol }) => symbol);
  const working = (decision.decision.working ?? []).map(({ symbol }) => symbol);
  const symbols = [...new Set([...sized, ...working])];
  const listed = await findInstruments(database, [...new Set([...symbols, ...symbols.map(signalSymbol)])]);
  const known = new Map(listed.map((one) => [one.symbol, one]));
  return {
    engine,
    definition: jsonOf(definition as object),
    as_of: parseInstant(asOf),
    target: {
      id: targetId,
      hash,
      weights: [...weights],
      receipt: { ...evaluation, instruments: evaluation.instruments.map(jsonOf) },
    },
    deployment: deploymentId,
    at: parseInstant(at),
    record: jsonOf(decision.decision),
    orders: orders.map(jsonOf),
    refusals: refusals.map(jsonOf),
    instruments: symbols.flatMap((symbol) => {
      const one = describedInstrument(symbol, known);
      return one === null ? [] : [jsonOf(one)];
    }),
  };
};

/** As it is sent. */
function jsonOf<T extends object>(value: T): T & { [name: string]: unknown } {
  return value as T & { [name: string]: unknown };
}

export const getDecisionBars: Call<typeof decisionsEndpoints.getDecisionBars> = async (
  { params, caller, reply },
  { records: { pool, database } },
) => {
  const decision = await findDecision(pool, { ...params, userId: caller.userId });
  if (decision === undefined) return notFound();
  const definition = storedDefinition(decision.definition);
  const { interval } = definition;
  const answered =
    definition.rule.type === 'decider'
      ? await listModelDecisions(database, decision.versionId, { through: parseInstant(decision.asOf) })
      : null;
  const symbols = symbolsRead(definition);
  const asOf = parseInstant(decision.asOf);
  reply.header('cache-control', 'private, no-store');
  const instruments = await findInstruments(database, symbols);
  // One instrument at a time, so that a long history is never fully in memory.
  return Readable.from(
    (async function* () {
      yield new TextEncoder().encode(PACKED_MAGIC);
      for (const instrument of instruments) {
        const { symbol } = instrument;
        const series = await readSeries(database, { symbol, interval }, asOf);
        const { actions, closedAt, open, high, low, close, volume } = series;
        const scores =
          answered &&
          answerColumns({ universe: [symbol] }, new Map([[symbol, series]]), answered).get(symbol);
        yield packSeries({
          instrument,
          interval: interval ?? '1d',
          closed_at: Array.from(closedAt),
          open: Array.from(open),
          high: Array.from(high),
          low: Array.from(low),
          close: Array.from(close),
          volume: Array.from(volume),
          ...(actions === undefined ? {} : { actions }),
          ...(scores && { scores: scoresOf(scores) }),
        });
      }
    })(),
  );
};
