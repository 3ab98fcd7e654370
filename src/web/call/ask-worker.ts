/** One answer of one worker, which ends with it. `failed` where it breaks, or its asker gives up. */
export function askWorker<Answer>(
  open: () => Worker,
  {
    request,
    transfer,
    signal,
    failed,
  }: {
    readonly request: unknown;
    readonly transfer: Transferable[];
    readonly signal: AbortSignal;
    readonly failed: Answer;
  },
): Promise<Answer> {
  return new Promise((resolve) => {
    const worker = open();
    const end = (answer: Answer) => {
      worker.terminate();
      resolve(answer);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => end(data));
    worker.addEventListener('error', () => end(failed));
    signal.addEventListener('abort', () => end(failed));
    worker.postMessage(request, transfer);
  });
}
