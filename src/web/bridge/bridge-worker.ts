import { unpackBars } from '#contract/strategies/packed-bars.ts';
import type { ReturnBridge } from '#contract/return-bridge.ts';
import { bridgeLadder } from '#engine/bridge/bridge-ladder.ts';
import { type ActualDay, bridgeInCents, returnBridge } from '#engine/bridge/return-bridge.ts';
import { inputOf } from '#engine/evidence/verify-passport.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import type { BridgeAnswer, BridgeRequest } from './bridge-messages.ts';

self.addEventListener('message', ({ data }: MessageEvent<BridgeRequest>) => {
  self.postMessage(answer(data));
});

function answer({ own, passport, bars }: BridgeRequest): BridgeAnswer {
  try {
    const input = inputOf(passport, unpackBars(bars));
    if (typeof input === 'string') return { ok: false, message: input };
    const ladder = bridgeLadder(input, {
      start: parseInstant(own.started_at),
      amount: toMicro(own.amount),
      limits: {
        stopLossPercentage: own.stop_loss_percentage,
        maxAllocationPercent: own.max_allocation_per_trade,
        freezeOnDrawdownPercent: own.freeze_on_drawdown,
      },
      takesFractions: own.takes_fractions,
    });
    return { ok: true, days: returnBridge(ladder, own.days.map(dayOf)).map(bridgeInCents) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `The published record could not be run again: ${reason}.` };
  }
}

function dayOf(day: ReturnBridge['days'][number]): ActualDay {
  return {
    date: day.date as IsoDate,
    invested: toMicro(day.invested),
    value: toMicro(day.value),
    explained: toMicro(day.explained),
    slippage: toMicro(day.slippage),
    commission: toMicro(day.commission),
    cash: toMicro(day.cash),
    income: toMicro(day.income),
    fee: toMicro(day.fee),
  };
}
