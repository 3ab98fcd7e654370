// The model card: what the model sees and predicts, what it learned from, how it performed afterwards, and its known
// weaknesses. Written as data and as a page.
import type { Figures, YearlyFit } from './judge-model.ts';
import type { Recipe } from './recipe.ts';
import type { TrainedWindow } from './train-model.ts';

type CardInput = {
  readonly recipe: Recipe;
  readonly seed: number;
  readonly windows: readonly TrainedWindow[];
  readonly fit: readonly YearlyFit[];
  readonly strategy: Figures;
  readonly holding: Figures;
};

export function modelCard({ recipe, seed, windows, fit, strategy, holding }: CardInput) {
  return {
    name: recipe.name,
    strategy: String(recipe.strategy['name']),
    method: recipe.method,
    settings: recipe.settings,
    predicts: recipe.predicts,
    data: `Daily bars of the simulated market, seed ${seed}, from ${windows[0]?.firstClose ?? ''}; ${recipe.universe.length} instruments.`,
    features: Object.entries(recipe.inputs).map(([name, feature]) => ({ name, ...feature })),
    scaling: recipe.scaling,
    horizonBars: recipe.horizonBars,
    embargoDays: recipe.embargoDays,
    windows: windows.map(({ from, file, sha256, bytes, rows, firstClose, lastClose }, w) => ({
      scoresFrom: from,
      file,
      sha256,
      bytes: bytes.length,
      trainedOnRows: rows,
      trainedOnBarsFrom: firstClose,
      trainedOnBarsTo: lastClose,
      correlationAfterwards: fit[w]?.correlation ?? null,
      scoresJudged: fit[w]?.scores ?? 0,
    })),
    outOfSample: { strategy, holdingTheUniverse: holding },
    triedBefore: recipe.tries,
    weaknesses: [
      ...comparison(strategy, holding),
      ...recipe.weaknesses,
      `Out of sample holds for the weights, not for the choice of method: ${recipe.tries.length} other combinations of model and rules were backtested over the same years before this one was kept, so its figures flatter it.`,
      'It is trained once a year up to 2026. Later years are scored by the last model until it is trained again.',
    ],
  };
}

/** The first thing to know about a model is whether it was worth having. */
function comparison(strategy: Figures, holding: Figures): string[] {
  const isWorse = (strategy.sharpeRatio ?? 0) <= (holding.sharpeRatio ?? 0);
  const earnsLess = (strategy.annualReturnPercent ?? 0) <= (holding.annualReturnPercent ?? 0);
  if (isWorse && earnsLess)
    return [
      'Out of sample it earned less than holding its universe in equal parts, and at a worse ratio to risk.',
    ];
  if (isWorse)
    return ['Out of sample holding its universe in equal parts had the better ratio of return to risk.'];
  if (earnsLess) return ['Out of sample holding its universe in equal parts earned more, at more risk.'];
  return [];
}

export function cardPage(card: ReturnType<typeof modelCard>): string {
  const { strategy, holdingTheUniverse } = card.outOfSample;
  const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
  return `# ${card.strategy}: the model \`${card.name}\`

${card.method}
It predicts ${card.predicts}.

## Inputs

${list(card.features.map(({ name, ...feature }) => `\`${name}\`: ${describe(feature)}`))}

${card.scaling === 'cross_section' ? 'Each is measured in standard deviations from the mean of the universe at the same close.' : 'Each is taken as it is.'}

## Training

${card.data} Walk-forward: each model learns from all outcomes known ${card.embargoDays} days before its first day and scores the days until the next one begins. An outcome is the return from the next open to the open ${card.horizonBars} bars later.

| scores from | trained on bars | rows | correlation with what followed | scores judged |
|---|---|---|---|---|
${card.windows.map((w) => `| ${w.scoresFrom} | ${w.trainedOnBarsFrom} to ${w.trainedOnBarsTo} | ${w.trainedOnRows} | ${shown(w.correlationAfterwards)} | ${w.scoresJudged} |`).join('\n')}

## Out of sample

Hypothetical: the strategy over ${strategy.from} to ${strategy.to} in the simulated market, net of commission and slippage, before the performance fee. Beside it the same instruments held in equal parts.

| | ${card.strategy} | held in equal parts |
|---|---|---|
| annual return, % | ${shown(strategy.annualReturnPercent)} | ${shown(holdingTheUniverse.annualReturnPercent)} |
| volatility, % | ${shown(strategy.volatilityPercent)} | ${shown(holdingTheUniverse.volatilityPercent)} |
| Sharpe ratio | ${shown(strategy.sharpeRatio)} | ${shown(holdingTheUniverse.sharpeRatio)} |
| deepest drawdown, % | ${shown(strategy.maxDrawdownPercent)} | ${shown(holdingTheUniverse.maxDrawdownPercent)} |
| trades | ${strategy.trades} | ${holdingTheUniverse.trades} |

## Known weaknesses

${list(card.weaknesses)}

\`npm run train\` makes this page and the files again, bit for bit.
`;
}

function describe(feature: object): string {
  return Object.entries(feature)
    .map(([name, value]) => (name === 'indicator' ? String(value) : `${name} ${String(value)}`))
    .join(', ');
}

function shown(value: number | null): string {
  return value === null ? '–' : String(value);
}
