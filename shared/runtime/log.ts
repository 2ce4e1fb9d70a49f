import { isAccessDenied } from './aws-errors.ts';
import { functionName } from './env.ts';

/** Every log line's code and level. Tests and alarms speak of codes, never of words. */
const logCodes = {
  /** A request was answered; one line each. */
  'request.answered': 'info',
  /** A request failed for a reason that is ours: a bug. */
  'request.failed': 'error',
  /** A request could not be served because something behind us is busy or down. */
  'request.unavailable': 'warn',
  /** A request was given up just before the function's own time ran out. */
  'request.late': 'error',
  /** An answer could not be kept for its Idempotency-Key; the request itself succeeded. */
  'request.not-remembered': 'warn',
  /** The requests of an account could not be counted; the request went on. */
  'rates.unavailable': 'warn',
  /** An entry of the audit log could not be stored; this line has what it would have said. */
  'audit.lost': 'error',
  'login.refused': 'warn',
  'login.admitted': 'info',
  'operator.done': 'info',
  'operator.refused': 'warn',
  /** A queued message was not processed and will come again, or end in the dead-letter queue. */
  'message.failed': 'error',
  /** A queued message has a shape or schema version nobody here knows. */
  'message.unknown': 'error',
  /** A batch of an import was worked off. */
  'batch.done': 'info',
  /** An enricher was asked, or no longer needed to be. */
  'enrichment.done': 'info',
  /** What an enricher answered, or an entry of it, was not taken; it is not asked again. */
  'enrichment.refused': 'warn',
  /** A file was uploaded that starts no job; the outcome says why. */
  'upload.ignored': 'warn',
  /** A file was uploaded under a temporary name; its rename starts a job. */
  'upload.waiting': 'info',
  'task.done': 'info',
  'task.failed': 'error',
} as const;
type LogCode = keyof typeof logCodes;

/** All that a line may say. Nothing a client wrote belongs here: no bodies, queries, names or addresses. */
export interface LogFields {
  readonly request_id?: string;
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly account?: number | undefined;
  readonly property?: number | undefined;
  /** Id of the API user. */
  readonly user?: number | undefined;
  /** Beginning of the hash of a token. */
  readonly token?: string | undefined;
  /** Address of a client, or the network that it is in. */
  readonly source?: string | undefined;
  /** Who ran an operator command, in their own words. */
  readonly operator?: string | undefined;
  readonly action?: string;
  readonly job?: number;
  readonly queue?: string;
  /** Name of an enricher, as the operator gave it. */
  readonly enricher?: string;
  readonly message_id?: string;
  readonly command?: string;
  readonly outcome?: string;
  readonly count?: number;
  readonly error?: ErrorFacts;
}

/** What a log line says of an error. */
export interface ErrorFacts {
  readonly name: string;
  readonly message?: string;
  readonly at: readonly string[];
  readonly cause?: string;
}

/** Writes one line. */
export type Log = (code: LogCode, fields?: LogFields) => void;

/** A log of one JSON line an entry, with the function's name; `write` takes the line. */
export const logTo =
  (write: (line: string) => void): Log =>
  (code, fields = {}) => {
    write(`${JSON.stringify({ level: logCodes[code], code, function: functionName(), ...fields })}\n`);
  };

/** The log of a Lambda function: standard output. */
export const systemLog: Log = logTo((line) => process.stdout.write(line));

/** Messages of these were written in this repository or by the runtime and never quote what a client sent. */
const safeNames = new Set(['Error', 'TypeError', 'RangeError', 'UnavailableError', 'ObjectChangedError']);
const FRAMES = 6;
const MESSAGE_LENGTH = 500;

/**
 * The facts of an error that may be logged. Parsers and schemas quote their input, so their messages stay out; a
 * refusal by IAM names the missing action, so its message stays in.
 */
export const errorFacts = (error: unknown): ErrorFacts => {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const frames = (error.stack ?? '').split('\n').map((line) => line.trim());
  const telling = safeNames.has(error.name) || isAccessDenied(error);
  return {
    name: error.name,
    ...(telling ? { message: error.message.slice(0, MESSAGE_LENGTH) } : {}),
    at: frames.filter((line) => line.startsWith('at ')).slice(0, FRAMES),
    ...(error.cause instanceof Error ? { cause: error.cause.name } : {}),
  };
};
