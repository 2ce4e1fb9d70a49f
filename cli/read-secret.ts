import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

/** Swallows what the terminal would echo. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Reads a secret from standard input: all of it but the line end when it is piped, a line that is not echoed when somebody
 * types. So it is neither in the shell's history nor in the list of processes.
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
