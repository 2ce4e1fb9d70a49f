import * as v from 'valibot';
import type { Refusal } from './types.ts';

/** A refusal with the place in the record as an RFC 6901 pointer. */
export interface Fault extends Refusal {
  readonly pointer: string;
}

const codes = new WeakMap<WeakKey, string>();

/** A rule of a value: what must hold, the stable code of its breach, and one sentence that never holds the value. */
export const rule = <T>(
  code: string,
  holds: (value: T) => boolean,
  sentence: string,
): v.CheckAction<T, string> => {
  // A function of its own per rule, so that it can be told from its issue which rule was broken.
  const requirement = (value: T): boolean => holds(value);
  codes.set(requirement, code);
  return v.check(requirement, sentence);
};

const typeCodes: Readonly<Record<string, string>> = {
  strict_object: 'unknown_field',
  picklist: 'not_allowed',
  integer: 'not_an_integer',
  min_value: 'out_of_range',
  max_value: 'out_of_range',
  max_length: 'too_many',
  min_length: 'too_few',
  max_bytes: 'too_long',
};

const codeOf = ({ type, requirement }: v.BaseIssue<unknown>): string =>
  (typeof requirement === 'function' ? codes.get(requirement) : undefined) ?? typeCodes[type] ?? 'wrong_type';

/** Names a client chose stand in answers shortened to this, in characters. */
const SHOWN_NAME = 64;
const shown = (step: string | number): string =>
  String(step).slice(0, SHOWN_NAME).replaceAll(/\p{C}/gu, '\uFFFD');

/** A fault at a place in a record. */
export const fault = (path: readonly (string | number)[], code: string, message: string): Fault => {
  const steps = path.map(shown);
  return {
    field: steps.length === 0 ? null : steps.join('.'),
    code,
    message,
    pointer: steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  };
};

const isStep = (key: unknown): key is string | number => typeof key === 'string' || typeof key === 'number';

/** What a schema found, as a fault. */
export const faultOf = (issue: v.BaseIssue<unknown>): Fault => {
  const path = (issue.path ?? []).map(({ key }) => key).filter(isStep);
  return fault(path, codeOf(issue), issue.message);
};

/** Whether a value is a JSON object (not null, not an array). */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
