/** Turns an error into the failure of a command: one sentence and an exit code. */
import { NotSignedInError, TidemarkConnectionError, TidemarkProblem, UploadError } from '../src/index.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { withMoments } from './terminal/text.ts';

/** The failure behind any error. */
export const failureOf = (
  error: unknown,
  { interrupted, env }: Pick<Surroundings, 'interrupted' | 'env'>,
): CommandFailure => {
  if (error instanceof CommandFailure) return error;
  if (interrupted.aborted) return new CommandFailure('Interrupted.', exitCodes.interrupted);
  if (error instanceof TidemarkProblem) return ofProblem(error, env);
  if (error instanceof NotSignedInError)
    return new CommandFailure('Sign in first: tidemark login', exitCodes.signIn);
  if (error instanceof TidemarkConnectionError || error instanceof UploadError)
    return new CommandFailure(`The service does not answer: ${error.message}.`);
  if (isFileError(error)) return new CommandFailure(fileSentence(error), exitCodes.usage);
  const [fault = '', ...stack] = (
    error instanceof Error ? (error.stack ?? error.message) : String(error)
  ).split('\n');
  return new CommandFailure(`The command line has a fault: ${fault}`, exitCodes.failed, stack);
};

const ofProblem = (
  { status, code, detail, errors, requestId }: TidemarkProblem,
  env: Surroundings['env'],
): CommandFailure => {
  if (code === 'invalid_grant')
    return new CommandFailure('The client id, the user name or the password is wrong.', exitCodes.signIn);
  if (status === 401) {
    return new CommandFailure(
      (env['TIDEMARK_TOKEN'] ?? '') === ''
        ? 'The sign-in has expired or was revoked; sign in again: tidemark login'
        : 'The service refuses the token in TIDEMARK_TOKEN: it is wrong, has expired or was revoked.',
      exitCodes.signIn,
    );
  }
  if (code === 'not_permitted')
    return new CommandFailure(detail, exitCodes.failed, ['See what the token may do: tidemark status']);
  const faults = errors.flatMap((fault) => {
    if (fault.pointer !== '') return [`${fault.pointer}: ${fault.detail}`];
    // The detail of the problem mostly says already what is wrong with the whole request.
    return detail.includes(fault.detail) ? [] : [fault.detail];
  });
  const request = status >= 500 && requestId !== undefined ? [`Request id: ${requestId}`] : [];
  return new CommandFailure(withMoments(detail), exitCodes.failed, [...faults, ...request]);
};

interface FileError {
  readonly code: string;
  readonly path: string;
  /** The new name, if the system call has two. */
  readonly dest?: string;
}

const isFileError = (error: unknown): error is Error & FileError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  'path' in error &&
  typeof error.path === 'string';

const fileSentence = ({ code, path, dest }: FileError): string => {
  switch (code) {
    case 'ENOENT':
      return `There is no file ${path}.`;
    case 'EACCES':
    case 'EPERM':
      return `You have no permission to use ${path}.`;
    case 'EISDIR':
      return `${path} is a folder.`;
    case 'EEXIST':
      return `The file ${dest ?? path} exists already; choose another name.`;
    default:
      return `The file ${path} cannot be used (${code}).`;
  }
};
