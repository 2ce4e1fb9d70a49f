import type { FaultCode } from './fault-codes.ts';
import type { CodeOf, ProblemStatus } from './problem-codes.ts';

/**
 * A fault of a request: its place (RFC 6901 pointer, or a parameter name) and its kind, never the refused value, unless it
 * is an id.
 */
export interface ProblemError {
  readonly pointer: string;
  readonly code: FaultCode;
  readonly detail: string;
}

/** A thing that a body names by its id: `kind` is its name in sentences. */
export interface Referred {
  readonly kind: 'segment' | 'collection' | 'job';
  readonly id: number;
}

/** The fault of an id in a body that is unknown or belongs to another property: the sentence is the same for both. */
export const unknownReference = (pointer: string, { kind, id }: Referred): ProblemError => ({
  pointer,
  code: 'unknown_reference',
  detail: `There is no ${kind} ${id} in this property, or it belongs to somebody else.`,
});

/** A fault for each unknown id of a list in a body. `field` is the place of the list. */
export const unknownReferences = (
  { field, kind }: { readonly field: string; readonly kind: Referred['kind'] },
  ids: readonly number[],
  isKnown: (id: number) => boolean,
): readonly ProblemError[] =>
  ids.flatMap((id, index) => (isKnown(id) ? [] : [unknownReference(`/${field}/${index}`, { kind, id })]));

/** A problem with a status, which its code determines. */
interface ProblemOf<Status extends ProblemStatus> {
  readonly status: Status;
  readonly code: CodeOf<Status>;
  readonly detail: string;
  readonly errors?: readonly ProblemError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error answer before it is written as `application/problem+json` (RFC 9457). The registry of codes knows its code. */
export type Problem = { [Status in ProblemStatus]: ProblemOf<Status> }[ProblemStatus];

/** The problems that use cases return; the edge adds its own (401, 405, 413, 415). One table of status, code and text. */
export const problems = {
  badRequest: (detail: string, errors?: readonly ProblemError[]): Problem => ({
    status: 400,
    code: 'bad_request',
    detail,
    ...(errors && { errors }),
  }),
  conflict: (code: CodeOf<409>, detail: string): Problem => ({ status: 409, code, detail }),
  invalid: (errors: readonly ProblemError[]): Problem => ({
    status: 422,
    code: 'invalid',
    detail: 'The request is well formed but breaks a rule; see errors.',
    errors,
  }),
  unknownReference: (pointer: string, referred: Referred): Problem =>
    problems.invalid([unknownReference(pointer, referred)]),
  /** The service's fault, and it passes: a dependency is busy or down. */
  unavailable: (): Problem => ({
    status: 503,
    code: 'unavailable',
    detail: 'The service is busy; try again.',
    headers: { 'retry-after': '1' },
  }),
  /** The service's fault. */
  internal: (): Problem => ({
    status: 500,
    code: 'internal_error',
    detail: 'Something went wrong on our side.',
  }),
  rateLimited: (code: CodeOf<429>, seconds: number): Problem => {
    const wait = String(Math.max(1, Math.ceil(seconds)));
    const detail = `Too early; try again in ${wait} s (Retry-After: ${wait}).`;
    return { status: 429, code, detail, headers: { 'retry-after': wait } };
  },
};
