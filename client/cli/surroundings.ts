/** What a command gets from its process. */
import type { Readable, Writable } from 'node:stream';
import type { LocalService } from './session/choose.ts';

/** A stream for output, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The width of an output in columns. A terminal that does not know its width says 0, and has 80 then. */
export const outputWidth = ({ columns }: Pick<Output, 'columns'>, otherwise: number): number =>
  columns === 0 ? 80 : (columns ?? otherwise);

/** The process around a command. */
export interface Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder to which relative paths of files refer. */
  readonly cwd: string;
  /** Finds the service that runs on this machine, if the command line belongs to a checkout that started it. */
  readonly localService: () => Promise<LocalService | undefined>;
  /** Aborts when the user presses Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** A clock in milliseconds. */
  readonly now: () => number;
}
