import { z } from 'zod';
import {
  ASSET_CLASSES,
  BUILDER_RANGES,
  BUILDER_RISKS,
  LEAST_MINIMUM_INVESTMENT,
} from '#rules/strategy-builder/builder-input.ts';
import { backtestJob } from './backtests.ts';
import { builderReadingEndpoints, readingFields, saidFields } from './builder-readings.ts';
import { draftVersionEndpoints } from './draft-versions.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { strategyDraft } from './strategy-drafts.ts';

const percent = (name: string, { min, max }: { readonly min: number; readonly max: number }) =>
  z
    .number(`Enter the ${name} in percent`)
    .min(min, `The ${name} must be between ${min} and ${max} percent`)
    .max(max, `The ${name} must be between ${min} and ${max} percent`);

const minimumInvestment = z
  .number('Enter the minimum investment in whole dollars')
  .int('Enter the minimum investment in whole dollars')
  .min(LEAST_MINIMUM_INVESTMENT, `Must be at least ${LEAST_MINIMUM_INVESTMENT} dollars`)
  .max(1_000_000_000, 'The amount is too high');

const buildBody = z
  .discriminatedUnion(
    'mode',
    [
      z.strictObject({
        mode: z.literal('ui'),
        asset_class: z.enum(ASSET_CLASSES, `Choose one of ${ASSET_CLASSES.join(', ')}`),
        risk_level: z.enum(BUILDER_RISKS, `Choose one of ${BUILDER_RISKS.join(', ')}`),
        max_drawdown: percent('maximum drawdown', BUILDER_RANGES.maxDrawdown),
        target_return: percent('target return', BUILDER_RANGES.targetReturn),
        minimum_investment: minimumInvestment,
      }),
      z.strictObject({
        mode: z.literal('ai'),
        ...saidFields,
        ...readingFields,
      }),
    ],
    'Choose the mode: ui or ai',
  )
  .meta({ id: 'BuildStrategyRequest' });

export type BuildStrategyRequest = z.output<typeof buildBody>;

const built = z
  .object({
    draft: strategyDraft,
    /** Null when it could not begin because the caller has too many jobs waiting. */
    backtest: backtestJob.nullable(),
  })
  .meta({ id: 'BuiltStrategy' });

const tuneBody = z
  .strictObject({
    /** Numbers by their place in the definition, such as features.trend.length. */
    values: z.record(z.string().max(200), z.number('Must be numbers')).optional(),
    /** Parts of the definition to put in place of its own; null takes one out. */
    parts: z
      .strictObject({
        universe: z.array(z.string().max(40)).max(2_000).optional(),
        schedule: z.record(z.string(), z.unknown()).optional(),
        direction: z.enum(['long', 'long_short']).optional(),
        features: z.record(z.string().max(40), z.unknown()).optional(),
        rule: z.record(z.string(), z.unknown()).optional(),
        exits: z.record(z.string(), z.unknown()).optional(),
        weighting: z.record(z.string(), z.unknown()).optional(),
        regime: z.record(z.string(), z.unknown()).nullable().optional(),
        basket: z.record(z.string(), z.unknown()).nullable().optional(),
        band: z.record(z.string(), z.unknown()).nullable().optional(),
      })
      .optional(),
    name: z.string().trim().min(1, 'Enter a name').max(120, 'At most 120 characters').optional(),
    /** Leaves the draft as it is, and makes another one. */
    copy: z.boolean().optional(),
  })
  .meta({ id: 'TuneStrategyRequest' });

const room = { room: 'strategy-builder', security: 'bearer' } as const;

export const strategyBuilderEndpoints = {
  listBuilderInstruments: endpoint(ROUTES.listBuilderInstruments, {
    ...room,
    summary: 'Instruments that a strategy can use',
    description: 'Each with its symbol, name and kind; a description may name any of them.',
    status: 200,
    answer: z.array(
      z
        .object({ symbol: z.string(), name: z.string(), kind: z.enum(ASSET_CLASSES) })
        .meta({ id: 'BuilderInstrument' }),
    ),
    refusals: [],
  }),
  buildStrategy: endpoint(ROUTES.buildStrategy, {
    ...room,
    summary: 'Create a draft strategy from controls or a description, and start its search or backtest',
    description:
      'A description is built only when every word of it is understood. Otherwise details.questions asks about words, each with choices to send as answers, and details.refusals says what contradicts or cannot be followed.',
    body: buildBody,
    status: 201,
    answer: built,
    refusals: ['plan_limit', 'definition_invalid', 'description_unclear'],
    idempotent: true,
  }),
  tuneStrategy: endpoint(ROUTES.tuneStrategy, {
    ...room,
    summary: 'Change the parameters or parts of your draft: a new version, backtested, counted as a try',
    description:
      'Unchanged parameters change nothing. Numbers are put in after the parts. The rules of a deployed draft stay as they are: ask for a copy. A copy is a draft of its own.',
    params: idParams,
    body: tuneBody,
    status: 200,
    answer: built,
    refusals: ['not_found', 'definition_invalid', 'in_use', 'draft_limit'],
  }),
  ...builderReadingEndpoints,
  ...draftVersionEndpoints,
} as const;
