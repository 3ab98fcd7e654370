import { useQuery } from '@tanstack/react-query';
import { useStrategyEvidence } from '../strategy-queries.ts';

/** The card that training writes next to a model's files (models/card.ts), limited to what a page shows. */
export type ModelCard = {
  readonly name: string;
  readonly method: string;
  readonly predicts: string;
  readonly data: string;
  readonly features: readonly ({ readonly name: string } & Readonly<Record<string, unknown>>)[];
  readonly scaling: 'none' | 'cross_section';
  readonly horizonBars: number;
  readonly embargoDays: number;
  readonly windows: readonly {
    readonly scoresFrom: string;
    readonly trainedOnRows: number;
    readonly trainedOnBarsFrom: string;
    readonly trainedOnBarsTo: string;
    /** Between scores and what followed; null for a window that has not been judged yet. */
    readonly correlationAfterwards: number | null;
    readonly scoresJudged: number;
  }[];
  readonly outOfSample: { readonly strategy: CardFigures; readonly holdingTheUniverse: CardFigures };
  readonly weaknesses: readonly string[];
};

export type CardFigures = {
  readonly from: string;
  readonly to: string;
  readonly annualReturnPercent: number | null;
  readonly volatilityPercent: number | null;
  readonly sharpeRatio: number | null;
  readonly maxDrawdownPercent: number | null;
  readonly trades: number;
};

/** The card of the model that the published rules name; null where they use none. */
export function useModelCard(strategyId: string) {
  const passport = useStrategyEvidence(strategyId);
  const name = passport.data && modelName(passport.data.definition);
  return useQuery({
    queryKey: ['models', strategyId, name],
    queryFn: async ({ signal }): Promise<ModelCard | null> => {
      if (passport.isError) throw passport.error;
      return name ? readCard(name, signal) : null;
    },
    enabled: !passport.isPending,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** A model's files are in a folder with its name. */
function modelName({ model }: { readonly [key: string]: unknown }): string | null {
  const windows = (model as { windows?: readonly { file?: unknown }[] } | undefined)?.windows;
  const file = windows?.[0]?.file;
  return typeof file === 'string' ? (file.split('/')[0] ?? null) : null;
}

async function readCard(name: string, signal: AbortSignal): Promise<ModelCard> {
  const response = await fetch(`/models/${name}/card.json`, { signal });
  if (!response.ok) throw new Error('The model card could not be loaded.');
  return response.json() as Promise<ModelCard>;
}
