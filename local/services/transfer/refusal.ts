import ssh2, { type SFTPWrapper } from 'ssh2';
import { ServiceError } from '../../core/service-error.ts';

const { STATUS_CODE } = ssh2.utils.sftp;

/** A request that fails with this SFTP status. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The path leads to no file or directory. */
export const notFound = (): Error => new Refusal(STATUS_CODE.NO_SUCH_FILE, 'No such file or directory');

/** The request fails for the reason in `message`. */
export const failure = (message: string): Error => new Refusal(STATUS_CODE.FAILURE, message);

/** The path lies outside the directories of the user. */
export const permissionDenied = (): Error => new Refusal(STATUS_CODE.PERMISSION_DENIED, 'Permission denied');

/** S3 cannot change a part of an object. */
export const partialChange = (): Error =>
  new Refusal(STATUS_CODE.OP_UNSUPPORTED, 'A file cannot be changed in part; send the whole file again');

/** Answers a request that failed. Errors other than refusals become a plain failure without details. */
export const refuse = (sftp: SFTPWrapper, id: number, error: unknown): void => {
  if (error instanceof Refusal) {
    sftp.status(id, error.status, error.message);
    return;
  }
  const isDenied = error instanceof ServiceError && error.code === 'AccessDenied';
  if (isDenied) sftp.status(id, STATUS_CODE.PERMISSION_DENIED, 'Permission denied');
  else sftp.status(id, STATUS_CODE.FAILURE, 'Failure');
};
