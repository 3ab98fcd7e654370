// What was filled in, kept in this window's session storage so that a reload loses nothing.
import { useCallback, useState } from 'react';
import { type BuilderInput, USUAL_INPUT } from '#rules/strategy-builder/builder-input.ts';
import type { KeptReading } from './kept-reading.ts';
import type { Answer } from '#rules/strategy-builder/reading/conversation.ts';

export type BuilderForm = {
  readonly mode: 'ui' | 'ai';
  readonly assetClass: BuilderInput['assetClass'];
  readonly riskLevel: BuilderInput['riskLevel'];
  readonly maxDrawdown: number;
  readonly targetReturn: number;
  /** As typed. */
  readonly minimumText: string;
  readonly description: string;
  /** Said after the description. */
  readonly further: readonly string[];
  readonly answers: readonly Answer[];
  /** The last one by the language model; it counts for the words that it read. */
  readonly reading: KeptReading | null;
};

const KEY = 'strategy-builder';

const EMPTY: BuilderForm = {
  mode: 'ui',
  assetClass: USUAL_INPUT.assetClass,
  riskLevel: USUAL_INPUT.riskLevel,
  maxDrawdown: USUAL_INPUT.maxDrawdown,
  targetReturn: USUAL_INPUT.targetReturn,
  minimumText: String(USUAL_INPUT.minimumInvestment),
  description: '',
  further: [],
  answers: [],
  reading: null,
};

export function useKeptForm(): [BuilderForm, (change: Partial<BuilderForm>) => void, () => void] {
  const [form, setForm] = useState<BuilderForm>(() => ({ ...EMPTY, ...readKept() }));
  const change = useCallback(
    (part: Partial<BuilderForm>) =>
      setForm((current) => {
        const next = { ...current, ...part };
        sessionStorage.setItem(KEY, JSON.stringify(next));
        return next;
      }),
    [],
  );
  const forget = useCallback(() => sessionStorage.removeItem(KEY), []);
  return [form, change, forget];
}

/** Only this file writes the key; what cannot be read is as good as absent. */
function readKept(): Partial<BuilderForm> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}
