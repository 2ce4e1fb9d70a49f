/** Question before a command that nobody can take back. */
import { createInterface } from 'node:readline/promises';
import type { Target } from './admin-service.ts';

const NOTHING = 'Nothing was done.';

/** The terminal on which to ask. */
export interface Asking {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** A command about to run. */
export interface Pending {
  /** The words of the command. */
  readonly words: string;
  /** Whether no other command takes back what this one does. */
  readonly destructive: boolean;
  /** Whether the operator has agreed on the command line. */
  readonly yes: boolean;
}

/**
 * Whether a command may run: the operator agrees to a destructive command on a stage in AWS, with `--yes` or on the
 * terminal. Otherwise the sentence that tells why nothing was done.
 */
export const refusalOf = async (
  { words, destructive, yes }: Pending,
  { kind }: Pick<Target, 'kind'>,
  { input, output }: Asking = { input: process.stdin, output: process.stderr },
): Promise<string | undefined> => {
  if (!destructive || yes || kind === 'local') return undefined;
  if (input.isTTY !== true)
    return `Nothing was done: "${words}" cannot be undone, and there is no terminal to ask; add --yes.`;
  const lines = createInterface({ input, output });
  try {
    const answer = await lines.question(`"${words}" cannot be undone. Go on? [y/N] `);
    return /^y(es)?$/i.test(answer.trim()) ? undefined : NOTHING;
  } catch (error) {
    // Ctrl-C and Ctrl-D, too, are answers.
    if (error instanceof Error && error.name === 'AbortError') return NOTHING;
    throw error;
  } finally {
    lines.close();
  }
};
