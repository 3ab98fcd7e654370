// A mail server for tests.
import { createServer, type Socket } from 'node:net';

type Script = {
  readonly recipient?: string;
  readonly data?: string;
  readonly afterText?: string | 'hang up';
};

/** An RFC 5321 server that gives scripted replies and stores what it receives. */
export async function mailServer(script: Script) {
  const received: string[] = [];
  const talk = (socket: Socket) => {
    let text: string | null = null;
    let rest = '';
    socket.on('error', () => undefined);
    socket.write('220 here\r\n');
    socket.on('data', (chunk: Buffer) => {
      rest += chunk.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (text !== null) {
          if (line !== '.') {
            text += `${line}\n`;
            continue;
          }
          received.push(text);
          text = null;
          if (script.afterText === 'hang up') return socket.destroy();
          socket.write(`${script.afterText ?? '250 kept'}\r\n`);
        } else if (/^DATA/i.test(line)) {
          if (script.data === undefined) text = '';
          socket.write(`${script.data ?? '354 go on'}\r\n`);
        } else if (/^RCPT/i.test(line)) socket.write(`${script.recipient ?? '250 ok'}\r\n`);
        else socket.write(/^STARTTLS/i.test(line) ? '502 not here\r\n' : '250 ok\r\n');
      }
    });
  };
  const listening = createServer(talk);
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    port: address.port,
    close: () => void listening.close(),
  };
}
