/** Question before a command that nobody can take back. */
import { createInterface } from 'node:readline/promises';
import type { AskFacts, Loss } from './admin-losses.ts';
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
  /** The parts of the command, as the operator function gets them. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** What no other command brings back; undefined if the command takes away nothing. */
  readonly loss: Loss | undefined;
  /** Whether the operator has agreed on the command line. */
  readonly yes: boolean;
}

/**
 * Whether a command may run: the operator agrees to a destructive command on a stage in AWS, with `--yes` or on the
 * terminal. The question names what would be lost, which `ask` looks up. Otherwise the sentence that tells why nothing
 * was done.
 */
export const refusalOf = async (
  { words, payload, loss, yes }: Pending,
  target: Target,
  ask: AskFacts,
  { input, output }: Asking = { input: process.stdin, output: process.stderr },
): Promise<string | undefined> => {
  if (!loss || yes || target.kind === 'local') return undefined;
  if (input.isTTY !== true)
    return `Nothing was done: "${words}" cannot be undone, and there is no terminal to ask; add --yes.`;
  const lost = await loss(payload, ask);
  if (!lost.ok) return `Nothing was done: ${lost.error}`;
  const { stage, account, region } = target;
  const place = `in stage ${stage}, AWS account ${account}, ${region}`;
  const lines = createInterface({ input, output });
  try {
    const answer = await lines.question(`${lost.value} ${place}? This cannot be undone. [y/N] `);
    return /^y(es)?$/i.test(answer.trim()) ? undefined : NOTHING;
  } catch (error) {
    // Ctrl-C and Ctrl-D, too, are answers.
    if (error instanceof Error && error.name === 'AbortError') return NOTHING;
    throw error;
  } finally {
    lines.close();
  }
};
