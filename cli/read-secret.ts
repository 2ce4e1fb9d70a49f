import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

/** Discards the echo of the terminal. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Reads a secret from standard input: piped input without its final line end, or one typed line without echo. The secret
 * appears neither in the history of the shell nor in the list of processes.
 */
export const readSecret = async (
  name: string,
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
): Promise<string> => {
  if (input.isTTY !== true) return (await text(input)).replace(/\r?\n$/, '');
  process.stderr.write(`${name}: `);
  const lines = createInterface({ input, output: nowhere(), terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
};
