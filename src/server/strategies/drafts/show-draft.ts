import type { StrategyDraft as Shown } from '#contract/strategies/strategy-drafts.ts';
import type { StrategyDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { fromMicro } from '#units/money.ts';
import { thumbnailAddress } from '../thumbnail-address.ts';

export function showDraft(draft: StrategyDraft): Shown {
  return {
    id: draft.id,
    name: draft.name,
    shortDescription: draft.shortDescription,
    description: draft.description,
    strategy_type: draft.strategyType as Shown['strategy_type'],
    asset_class: draft.kind,
    market: draft.market,
    min_investment: fromMicro(draft.minInvestment),
    status: draft.status,
    version: draft.versionNumber,
    version_id: draft.versionId,
    definition: draft.definition,
    definition_hash: draft.definitionHash,
    is_traded: draft.isTraded,
    thumbnail: thumbnailAddress(draft),
    created_at: draft.createdAt.toISOString(),
  };
}
