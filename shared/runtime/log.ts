/** Log: writes one JSON line per entry, with a code from a closed list and without any text of a client. */
import { awsRequestOf, isAccessDenied } from './aws-errors.ts';
import { functionName } from './env.ts';

/** Code and level of every log line. Tests and alarms use the codes, never the words. */
const logCodes = {
  /** A request was answered; one line each. */
  'request.answered': 'info',
  /** A request failed because of a bug of the service. */
  'request.failed': 'error',
  /** A request could not be served because a service behind the API is busy or down. */
  'request.unavailable': 'warn',
  /** A request was ended just before the function's own timeout. */
  'request.late': 'error',
  /** An answer could not be stored for its Idempotency-Key; the request itself succeeded. */
  'request.not-remembered': 'warn',
  /** A request met a property that a restore has left without data; an operator must delete it. */
  'property.lost': 'error',
  /** The requests of an account could not be counted; the request went on. */
  'rates.unavailable': 'warn',
  /** An entry of the audit log could not be stored; this line contains the entry. */
  'audit.lost': 'error',
  'login.refused': 'warn',
  'login.admitted': 'info',
  'login.keys_asked': 'info',
  'operator.done': 'info',
  'operator.refused': 'warn',
  /** A queued message was not processed. It will come again, or end in the dead-letter queue. */
  'message.failed': 'error',
  /** A queued message met a busy service. It comes again until it is processed, or has been copied for hours. */
  'message.postponed': 'warn',
  /** A queued message could not be given back; it comes again after the visibility timeout of its queue. */
  'message.kept': 'warn',
  /** A queued message, or a line in the log of another service, has an unknown shape or schema version. */
  'message.unknown': 'error',
  /** A batch of an import was processed. */
  'batch.done': 'info',
  /** An enricher was asked, or no longer had to be asked. */
  'enrichment.done': 'info',
  /** The answer of an enricher, or an entry of it, was refused; the enricher is not asked again. */
  'enrichment.refused': 'warn',
  /** An uploaded file starts no job; the outcome names the reason. */
  'upload.ignored': 'warn',
  /** A file was uploaded under a temporary name; its rename starts a job. */
  'upload.waiting': 'info',
  /** The sizes of segments could not be measured at the end of an import or an undo; the next round measures them. */
  'sizes.postponed': 'warn',
  /** Conditions of a property are being prepared, or removed. */
  'condition.waiting': 'info',
  'task.done': 'info',
  /** A step met a busy service; its workflow repeats it. */
  'task.postponed': 'warn',
  'task.failed': 'error',
} as const;
type LogCode = keyof typeof logCodes;

/** The fields of a log line. Nothing that a client wrote belongs here: no bodies, queries, names or addresses. */
export interface LogFields {
  readonly request_id?: string;
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly ms?: number;
  /** Request units that tables served to a request. */
  readonly units?: number;
  readonly account?: number | undefined;
  readonly property?: number | undefined;
  /** Id of the API user. */
  readonly user?: number | undefined;
  /** Beginning of the hash of a token. */
  readonly token?: string | undefined;
  /** Address of a client, or its network. */
  readonly source?: string | undefined;
  /** The operator of a command, in their own words. */
  readonly operator?: string | undefined;
  readonly action?: string;
  /** Number of an import definition. */
  readonly import?: number;
  readonly job?: number;
  readonly queue?: string;
  /** Name of an enricher, as the operator gave it. */
  readonly enricher?: string;
  readonly message_id?: string;
  readonly command?: string;
  readonly outcome?: string;
  readonly count?: number;
  /** Kind of a task. */
  readonly kind?: string;
  /** Number of tasks that are to be looked at again. */
  readonly postponed?: number;
  /**
   * Seconds since the first copy of a queued message, 0 if it was not copied; or for which the oldest of some conditions has
   * waited.
   */
  readonly seconds?: number;
  readonly error?: ErrorFacts;
}

/** The loggable facts of an error. */
export interface ErrorFacts {
  readonly name: string;
  readonly message?: string;
  readonly at: readonly string[];
  readonly cause?: string;
  /** The ids of a call to AWS that failed. */
  readonly aws_request?: string;
}

/** Writes one line. */
export type Log = (code: LogCode, fields?: LogFields) => void;

/** A log with one JSON line per entry and the function's name; `write` takes the line. */
export const logTo =
  (write: (line: string) => void): Log =>
  (code, fields = {}) => {
    write(`${JSON.stringify({ level: logCodes[code], code, function: functionName(), ...fields })}\n`);
  };

/** The log of a Lambda function: standard output. */
export const systemLog: Log = logTo((line) => process.stdout.write(line));

/** This repository or the runtime wrote the messages of these errors. They never quote a client's text. */
const safeNames = new Set(['Error', 'TypeError', 'RangeError', 'UnavailableError', 'ObjectChangedError']);
const FRAMES = 6;
const MESSAGE_LENGTH = 500;

/**
 * The facts of an error that may be logged. Parsers and schemas quote their input, so their messages are left
 * out. A refusal by IAM names the missing action, so its message is kept.
 */
export const errorFacts = (error: unknown): ErrorFacts => {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const frames = (error.stack ?? '').split('\n').map((line) => line.trim());
  const aws_request = awsRequestOf(error) ?? awsRequestOf(error.cause);
  const telling = safeNames.has(error.name) || isAccessDenied(error);
  return {
    name: error.name,
    ...(telling ? { message: error.message.slice(0, MESSAGE_LENGTH) } : {}),
    at: frames.filter((line) => line.startsWith('at ')).slice(0, FRAMES),
    ...(error.cause instanceof Error ? { cause: error.cause.name } : {}),
    ...(aws_request === undefined ? {} : { aws_request }),
  };
};
