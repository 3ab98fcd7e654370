// What a person has filled in so far, kept in this window's session storage so that a reload loses nothing.
import { useCallback, useState } from 'react';
import type { Answers } from '#rules/suitability/assess-answers.ts';
import type { DeploymentSettings } from '#rules/deployments/setting-ranges.ts';
import type { DisconnectPolicy } from '#engine/lifecycle/disconnect-policy.ts';
import type { TripwireChoice } from '#engine/risk/tripwire.ts';
import { DEFAULT_TRIPWIRE_CHOICE } from '#rules/deployments/tripwire-text.ts';
import { DEFAULT_DISCONNECT_POLICY } from '#rules/deployments/disconnect-policy-text.ts';

export type Draft = {
  readonly answers: Answers;
  /** The place of the question that is shown. */
  readonly question: number;
  readonly riskView: 'profile' | 'questions' | 'summary';
  readonly isPractice: boolean;
  readonly brokerId: string | null;
  readonly connectionId: string | null;
  /** A connection was begun and has not ended: the window of the broker may still be open. */
  readonly isConnecting: boolean;
  /** As typed. */
  readonly amountText: string;
  readonly settings: DeploymentSettings;
  readonly disconnectPolicy: DisconnectPolicy;
  readonly tripwireChoice: TripwireChoice;
};

export type ChangeDraft = (change: Partial<Draft>) => void;

/** `name` distinguishes the drafts of different users and strategies. */
export function useDraft(
  name: string,
  beginning: Pick<Draft, 'amountText' | 'brokerId' | 'settings'>,
): [Draft, ChangeDraft, () => void] {
  const key = `deploy-draft:${name}`;
  const [draft, setDraft] = useState<Draft>(() => ({ ...EMPTY, ...beginning, ...readDraft(key) }));
  const change = useCallback<ChangeDraft>(
    (part) =>
      setDraft((current) => {
        const next = { ...current, ...part };
        sessionStorage.setItem(key, JSON.stringify(next));
        return next;
      }),
    [key],
  );
  const clear = useCallback(() => sessionStorage.removeItem(key), [key]);
  return [draft, change, clear];
}

const EMPTY: Omit<Draft, 'settings'> = {
  answers: {},
  question: 0,
  riskView: 'profile',
  isPractice: false,
  brokerId: null,
  connectionId: null,
  isConnecting: false,
  amountText: '',
  disconnectPolicy: DEFAULT_DISCONNECT_POLICY,
  tripwireChoice: DEFAULT_TRIPWIRE_CHOICE,
};

/** Only this file writes the key; what cannot be read is as good as absent. */
function readDraft(key: string): Partial<Draft> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}
