/** Field fault: a fault at a field of an export. */
import type { FaultCode } from '../../http/fault-codes.ts';
import type { ProblemError } from '../../http/problem.ts';

/** A fault at a field of an export, for the `errors` of a problem. */
export const fault = (field: string, code: FaultCode, detail: string): ProblemError => ({
  pointer: `/${field}`,
  code,
  detail,
});
