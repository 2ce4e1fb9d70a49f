/** Asks the user. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Output, Surroundings } from '../surroundings.ts';

type Asking = Pick<Surroundings, 'stdin' | 'stderr' | 'interrupted'>;

/** Asks for one line. Throws the signal's reason when the user presses Ctrl-C; an end of the input is an empty answer. */
export const askLine = async (
  { stdin, stderr, interrupted }: Asking,
  question: string,
  onInterrupt: () => void,
): Promise<string> => askWith(stdin, stderr, question, { interrupted, onInterrupt });

/** Asks for a line that the terminal does not show. */
export const askSecret = async (
  { stdin, stderr, interrupted }: Asking,
  question: string,
  onInterrupt: () => void,
): Promise<string> => {
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await askWith(stdin, silent, '', { interrupted, onInterrupt });
  } finally {
    stderr.write('\n');
  }
};

interface Interrupt {
  readonly interrupted: AbortSignal;
  readonly onInterrupt: () => void;
}

const askWith = async (
  input: Asking['stdin'],
  output: Output,
  question: string,
  { interrupted, onInterrupt }: Interrupt,
): Promise<string> => {
  const lines = createInterface({ input, output, terminal: true });
  // The terminal is in raw mode, in which Ctrl-C is a key and sends no signal.
  lines.on('SIGINT', onInterrupt);
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question, { signal: interrupted }), ended]);
  } finally {
    lines.close();
  }
};
