import { StringDecoder } from 'node:string_decoder';

/** Finds the lines of the log, which are JSON, in what a process prints; what it says to its parent alone is none. */
export function logLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = (lines.pop() ?? '').slice(-LINE_LENGTH_MAX);
    for (const line of lines) if (line.startsWith('{')) onLine(line);
  };
}

const LINE_LENGTH_MAX = 1_000_000;
