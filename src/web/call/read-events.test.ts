import { expect, test } from 'vitest';
import { readEvents } from './read-events.ts';

async function eventsOf(chunks: readonly string[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const events = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

test('events are found wherever the pieces break', async () => {
  const text =
    'retry: 3000\nevent: hello\ndata: {}\n\n: here\n\nevent: mark\r\ndata: {"a":\r\ndata: "ü"}\r\n\r\n';
  const whole = [
    { event: 'hello', data: '{}' },
    { event: 'mark', data: '{"a":\n"ü"}' },
  ];
  expect(await eventsOf([text])).toEqual(whole);
  expect(await eventsOf([...text])).toEqual(whole);
});

test('what breaks off in the middle is no event', async () => {
  expect(await eventsOf(['event: mark\ndata: {"equity": 1'])).toEqual([]);
});
