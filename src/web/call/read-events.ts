export type StreamEvent = { readonly event: string; readonly data: string };

/** The events of a text/event-stream body as they come (WHATWG HTML, 9.2.6), without ids, which ours has none of. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest = (rest + value).replaceAll('\r\n', '\n');
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const found = parseBlock(block);
        if (found) yield found;
      }
    }
  } finally {
    // Also when there is no listener any more: the connection closes with its reader.
    await reader.cancel().catch(() => undefined);
  }
}

/** Null for a comment, such as a sign of life. */
function parseBlock(block: string): StreamEvent | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event = value ?? '';
    if (field === 'data') data.push(value ?? '');
  }
  return data.length === 0 ? null : { event, data: data.join('\n') };
}
