/** SFTP failure: the step at which a server failed, and the reason. */
import { SftpRefusedError, type SessionStep, UNREACHABLE } from './connect.ts';
import type { PutStep } from './attempt.ts';
import { FileTakenError } from './give-name.ts';
import type { LoginFault } from './login.ts';
import { FileCutError } from './put-file.ts';
import { SftpFailedError } from './requests.ts';

/** A step on the way of a file to a server. */
export type SftpStep = SessionStep | PutStep | 'remove';

/** A failure of a server. The reason holds no text of the server. */
export interface SftpFailure {
  readonly step: SftpStep;
  readonly reason: string;
  /** Why the server did not let the service in. */
  readonly fault?: LoginFault;
  /** The server took the file, so each further attempt would leave another copy. */
  readonly isTaken?: true;
}

/** The failure of an expected error. Other errors are thrown: they are bugs, or failures of our own stores. */
export const failureOf = (error: unknown, step: SftpStep): SftpFailure => {
  if (error instanceof SftpRefusedError) {
    const { message: reason, fault } = error;
    return { step: error.step, reason, ...(fault && { fault }) };
  }
  if (error instanceof FileTakenError) return { step, reason: error.message, isTaken: true };
  if (error instanceof SftpFailedError || error instanceof FileCutError)
    return { step, reason: error.message };
  if (error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo')
    return { step: 'connect', reason: UNREACHABLE };
  throw error;
};
