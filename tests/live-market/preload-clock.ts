// Loaded into each process of the product before its own modules: its clock is the machine's, moved by what MOVED_CLOCK says at
// each look, as a machine's clock is when it wakes up. Timers run on.
import { openSync, readSync } from 'node:fs';

const file = process.env['MOVED_CLOCK'];
if (file !== undefined) {
  const place = openSync(file, 'r');
  const bytes = Buffer.alloc(8);
  const machineNow = Date.now.bind(Date);
  const now = () => {
    readSync(place, bytes, 0, 8, 0);
    return machineNow() + bytes.readDoubleLE();
  };
  globalThis.Date = new Proxy(Date, {
    construct: (target, words, made) =>
      words.length === 0 ? new target(now()) : (Reflect.construct(target, words, made) as Date),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
