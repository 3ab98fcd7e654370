// Sends the frames of a stream of the stand-in for Alpaca, through the faults of its script.
import type { WebSocket } from 'ws';
import type { FaultPlan } from '../faults/fault-plan.ts';

/** Sends frames of data; control messages do not pass through it. */
export function sendFrames(
  socket: WebSocket,
  plan: FaultPlan,
  { occasion, isBinary }: { readonly occasion: 'trade_frame' | 'price_frame'; readonly isBinary: boolean },
): (frame: object) => void {
  const held: string[] = [];
  const put = (text: string) => socket.send(isBinary ? Buffer.from(text) : text);
  return (frame) => {
    const text = JSON.stringify(frame);
    const fault = plan.faultsOn(occasion).find((one) => one.kind === 'frame');
    if (fault?.how === 'missing') return;
    if (fault?.how === 'cut') return socket.terminate();
    if (fault?.how === 'held') return void held.push(text);
    put(fault?.how === 'garbled' ? text.slice(0, Math.floor(text.length / 2)) : text);
    if (fault?.how === 'repeated') put(text);
    for (const late of held.splice(0)) put(late);
  };
}
