// Opens streams of events for `npm run bench -- streams` and keeps them open until the bench ends.
import { get } from 'node:http';
import type { StreamsWanted } from './streams.ts';

process.on('message', async ({ port, tokens }: StreamsWanted) => {
  for (let from = 0; from < tokens.length; from += AT_ONCE)
    await Promise.all(tokens.slice(from, from + AT_ONCE).map((token) => open(port, token)));
  process.send!('open');
});
process.once('disconnect', () => process.exit(0));

const AT_ONCE = 50;

/** Until its first event is there. */
function open(port: number, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(
      {
        host: '127.0.0.1',
        port,
        path: '/api/stream/',
        headers: { authorization: `Bearer ${token}` },
        agent: false,
      },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`a stream was answered with ${answer.statusCode}`));
        answer.once('data', () => resolve());
        answer.resume();
      },
    ).on('error', reject);
  });
}
