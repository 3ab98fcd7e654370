import { useEffect, useState } from 'react';
import { replayText } from '#rules/reasons/decision-text.ts';
import { askWorker } from '../../call/ask-worker.ts';
import { call } from '../../call/call.ts';
import { callBytes } from '../../call/call-bytes.ts';
import { Button } from '../../kit/control/button.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import type { ReplayAnswer, ReplayRequest } from './replay-messages.ts';

type State = { readonly at: 'idle' | 'running' } | { readonly at: 'done'; readonly answer: ReplayAnswer };

/** Makes the decision again in this browser, by the same engine from the same prices, and says whether it is the same. */
export function ReplayPanel({ deploymentId, decision }: { deploymentId: string; decision: string }) {
  const [state, setState] = useState<State>({ at: 'idle' });
  const [off] = useState(() => new AbortController());
  useEffect(() => () => off.abort(), [off]);
  const replay = async () => {
    setState({ at: 'running' });
    const load = async () => {
      const asked = { params: { id: deploymentId, decision }, signal: off.signal };
      const inputs = await call('getDecisionInputs', asked);
      return { inputs, bars: await callBytes('getDecisionBars', asked) };
    };
    const answer = await replayIn(load, off.signal);
    if (!off.signal.aborted) setState({ at: 'done', answer });
  };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="secondary" size="small" busy={state.at === 'running'} onClick={() => void replay()}>
          Replay
        </Button>
        <span className="text-ink-soft">Your browser makes the decision again from the same prices.</span>
      </div>
      <div role="status">{state.at === 'done' && <Outcome answer={state.answer} />}</div>
    </div>
  );
}

function Outcome({ answer }: { answer: ReplayAnswer }) {
  if (!answer.ok) return <Notice tone="caution">{answer.message}</Notice>;
  const isEqual = answer.differences.length === 0;
  return <Notice tone={isEqual ? 'evidence' : 'caution'}>{replayText(answer.differences, answer)}</Notice>;
}

/** One worker for one replay. What was given up on is answered to nobody. */
async function replayIn(load: () => Promise<ReplayRequest>, signal: AbortSignal): Promise<ReplayAnswer> {
  let request: ReplayRequest;
  try {
    request = await load();
  } catch {
    return { ok: false, message: 'What the decision was made from could not be loaded. Please try again.' };
  }
  const open = () => new Worker(new URL('replay-worker.ts', import.meta.url), { type: 'module' });
  const failed = { ok: false, message: 'The replay could not run in this browser.' } as const;
  return askWorker<ReplayAnswer>(open, { request, transfer: [request.bars.buffer], signal, failed });
}
