import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { findSpending, type Spending } from '#records/strategy-builder/model-readings.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../http/call.ts';
import { dayOf } from './read-by-model.ts';

export const getModel: Call<typeof strategyBuilderEndpoints.getBuilderModel> = async (
  { caller },
  { records, languageModel, now },
) => {
  if (languageModel === null) return { model: null };
  const { port, daily } = languageModel;
  const spent = await findSpending(records.database, caller.userId, dayOf(now()));
  const { vendor, model, isStandIn } = port;
  return { model: { vendor, model, is_stand_in: isStandIn, daily: shown(daily), spent: shown(spent) } };
};

const shown = ({ calls, tokens, money }: Spending) => ({ calls, tokens, money: fromMicro(money) });
