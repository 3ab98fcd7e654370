import { useQuery } from '@tanstack/react-query';
import type { Passport } from '#engine/evidence/passport.ts';
import { askWorker } from '../call/ask-worker.ts';
import { callBytes } from '../call/call-bytes.ts';
import { call } from '../call/call.ts';
import type { BridgeAnswer, BridgeRequest } from './bridge-messages.ts';

/** Asked for once and kept: it changes when a day ends, and costs the prices of the whole record. */
export function useBridge(deploymentId: string, strategyId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['deployments', deploymentId, 'bridge'],
    queryFn: ({ signal }) => bridgeOf(deploymentId, strategyId, signal),
    enabled: isWanted,
    staleTime: HALF_AN_HOUR_MS,
    refetchOnWindowFocus: false,
  });
}

async function bridgeOf(id: string, strategy: string, signal: AbortSignal): Promise<BridgeAnswer> {
  const own = await call('getReturnBridge', { params: { id }, signal });
  if (own.result === null || own.days.length === 0) return { ok: true, days: [] };
  const params = { id: strategy };
  const passport = (await call('getStrategyEvidence', { params, signal })) as unknown as Passport;
  if (passport.hashes.input !== own.result)
    return { ok: false, message: 'The published record of this strategy is of another version than yours.' };
  const bars = await callBytes('getStrategyEvidenceBars', { params, query: { result: own.result }, signal });
  const request: BridgeRequest = { own, passport, bars };
  const open = () => new Worker(new URL('bridge-worker.ts', import.meta.url), { type: 'module' });
  const failed = { ok: false, message: 'It could not be computed in this browser.' } as const;
  return askWorker<BridgeAnswer>(open, { request, transfer: [bars.buffer], signal, failed });
}

const HALF_AN_HOUR_MS = 30 * 60_000;
