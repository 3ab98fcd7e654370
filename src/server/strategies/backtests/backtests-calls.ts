import type { backtestsEndpoints } from '#contract/strategies/backtests.ts';
import type { RoomCalls } from '../../http/mount-room.ts';
import { acceptVerdict } from './accept-verdict.ts';
import { cancelBacktest } from './cancel-backtest.ts';
import { createBacktest } from './create-backtest.ts';
import { getAttack } from './get-attack.ts';
import { getBacktest } from './get-backtest.ts';
import { listBacktests } from './list-backtests.ts';

export const backtestsCalls: RoomCalls<typeof backtestsEndpoints> = {
  createBacktest,
  listBacktests,
  getAttack,
  acceptVerdict,
  getBacktest,
  cancelBacktest,
};
