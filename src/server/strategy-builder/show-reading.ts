import type { BuilderReading } from '#contract/strategies/builder-readings.ts';
import type { Database } from '#records/postgres/database.ts';
import { listCalls, type ModelReading } from '#records/strategy-builder/model-readings.ts';
import { grammarReason } from '#rules/strategy-builder/model-sentences.ts';
import { fromMicro } from '#units/money.ts';

export async function showReading(database: Database, reading: ModelReading): Promise<BuilderReading> {
  const calls = await listCalls(database, reading.id);
  return {
    id: reading.id,
    messages: [...reading.conversation.messages],
    answers: reading.conversation.answers.map((one) => ({ ...one })),
    read_by: reading.readBy,
    because: reading.because === null ? null : grammarReason(reading.because),
    vendor: reading.vendor,
    model: reading.model,
    is_stand_in: reading.isStandIn,
    prompt_hash: reading.promptHash,
    proposal: reading.proposal,
    calls: calls.map(({ round, outcome, tokensIn, tokensOut, cost, askedAt }) => ({
      round,
      outcome,
      tokens_in: tokensIn,
      tokens_out: tokensOut,
      cost: fromMicro(cost),
      at: askedAt.toISOString(),
    })),
    created_at: reading.createdAt.toISOString(),
  };
}
