import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { listDraftVersions as list } from '#records/strategy-builder/draft-versions.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { findOwnStrategy } from '../strategies/drafts/find-own-strategy.ts';

export const listDraftVersions: Call<typeof strategyBuilderEndpoints.listDraftVersions> = async (
  { params, caller },
  { records },
) => {
  const draft = await findOwnStrategy(records.database, params.id, caller);
  if (!draft) return notFound();
  const versions = await list(records.database, draft.id, { most: VERSIONS_SHOWN });
  return versions.map(({ number, id, definition, committedAt, result }) => ({
    version: number,
    version_id: id,
    definition,
    committed_at: committedAt.toISOString(),
    result: result && {
      first_date: result.firstDate,
      last_date: result.lastDate,
      total_return: result.figures.return_inception,
      annual_return: result.figures.annual_return,
      sharpe_ratio: result.figures.sharpe_ratio,
      max_drawdown: result.figures.max_drawdown,
      total_trades: result.figures.total_trades,
    },
  }));
};

const VERSIONS_SHOWN = 50;
