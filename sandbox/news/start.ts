// The stand-in of Telegram as a server of its own. It prints the settings with which the product uses it, and shows each message. A line
// that is typed here is said to the bot, such as /start and the code of a link. SANDBOX_PORT is read from the environment.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import Fastify from 'fastify';
import { mountTelegram } from './telegram.ts';

const CHAT = 1;
const token = `1:${randomBytes(24).toString('hex')}`;
const app = Fastify({ logger: false });
const standIn = mountTelegram(app, { token });
const address = await app.listen({ host: '127.0.0.1', port: Number(process.env['SANDBOX_PORT'] || 3_270) });
process.stdout.write(
  `# A stand-in: nothing leaves this machine.\nTELEGRAM_BOT=stand_in_bot\nTELEGRAM_BOT_TOKEN=${token}\nTELEGRAM_URL=${address}\n`,
);
createInterface({ input: process.stdin }).on('line', (line) => standIn.say(CHAT, line));
let shown = 0;
const showing = setInterval(() => {
  for (const { title, message } of standIn.receivedIn(CHAT).slice(shown)) {
    shown += 1;
    process.stdout.write(`> ${title}\n${message === '' ? '' : `  ${message.replaceAll('\n', '\n  ')}\n`}`);
  }
}, 500);
const stop = () => {
  clearInterval(showing);
  void app.close();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
