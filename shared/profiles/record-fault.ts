import type { FaultCode } from '../http/fault-codes.ts';
import type { ProblemError } from '../http/problem.ts';
import { pointerOf } from '../http/text.ts';
import type { RecordRefusal } from './types.ts';

/** A refusal with its place in the record as an RFC 6901 pointer. */
export interface Fault extends RecordRefusal {
  readonly pointer: string;
}

/** A fault at a place in a record. */
export const fault = (path: readonly (string | number)[], code: FaultCode, message: string): Fault =>
  faultOf({ pointer: pointerOf(path), code, detail: message });

/** Converts a fault of a request body to a fault of a record: `/address/city` becomes the field `address.city`. */
export const faultOf = ({ pointer, code, detail }: ProblemError): Fault => ({
  field: pointer === '' ? null : fieldOf(pointer),
  code,
  message: detail,
  pointer,
});

/** Converts a fault of a record to a fault of the request body that is the record. */
export const problemError = ({ pointer, code, message }: Fault): ProblemError => ({
  pointer,
  code,
  detail: message,
});

const fieldOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
