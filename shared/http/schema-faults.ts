/** Schema faults: checks a value with a schema and lists its faults, for 400 and 422 problems. */
import * as v from 'valibot';
import { isObject } from './json.ts';
import type { ProblemError } from './problem.ts';
import { ruleCode } from './rule.ts';
import { isCleanText, MAX_FAULTS, pointerOf } from './text.ts';

/**
 * Checks a value with a schema. The faults name the place and the kind, never the value: messages of the schema library
 * quote the value, so only messages that our own schemas set are passed on.
 */
export const check = <Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
):
  { readonly ok: true; readonly value: Output } | { readonly ok: false; readonly faults: ProblemError[] } => {
  const parsed = v.safeParse(schema, value, { abortPipeEarly: true });
  return parsed.success
    ? { ok: true, value: parsed.output }
    : { ok: false, faults: faultsOf(parsed.issues, parsed.output) };
};

/**
 * All faults of a body in one list, up to the bound: the faults of its texts, then the faults that its schema finds in
 * other places. A field with an unclean name is reported at its object.
 */
export const allFaults = (
  unclean: readonly ProblemError[],
  bySchema: readonly ProblemError[],
): readonly ProblemError[] => {
  const places = new Set(unclean.map(({ pointer }) => pointer));
  const others = bySchema.filter(({ pointer }) => !places.has(pointer) && isCleanText(pointer));
  return [...unclean, ...others].slice(0, MAX_FAULTS);
};

type Issue = v.BaseIssue<unknown>;

const faultsOf = (issues: readonly Issue[], output: unknown): ProblemError[] =>
  issues
    .slice(0, MAX_FAULTS)
    .flatMap((issue) => (issue.expected === 'never' ? unknownFields(issue, output) : faultOf(issue)))
    .slice(0, MAX_FAULTS);

/** Unknown fields that are reported for one object. */
const MAX_UNKNOWN = 20;

/**
 * A fault for each unknown field of an object, because the schema library reports only the first. Its output has the known
 * fields.
 */
const unknownFields = (issue: Issue, output: unknown): readonly ProblemError[] => {
  const fault = faultOf(issue);
  const path = issue.path ?? [];
  const sent = path.at(-1)?.input;
  const read = path.slice(0, -1).reduce<unknown>((part, { key }) => memberOf(part, key), output);
  if (!isObject(sent) || !isObject(read)) return [fault];
  const place = path.slice(0, -1).map(({ key }) => keyOf(key));
  const unknown = Object.keys(sent).filter((key) => !Object.hasOwn(read, key));
  const faults = unknown.map((key) => ({ ...fault, pointer: pointerOf([...place, key]) }));
  return faults.length > 0 ? faults.slice(0, MAX_UNKNOWN) : [fault];
};

const memberOf = (value: unknown, key: unknown): unknown => {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isObject(value) ? value[String(key)] : undefined;
};

const faultOf = (issue: Issue): ProblemError => {
  const pointer = pointerOf((issue.path ?? []).map(({ key }) => keyOf(key)));
  const { code, detail } = explain(issue);
  return { pointer, code, detail: /^Invalid /.test(issue.message) ? detail : issue.message };
};

const keyOf = (key: unknown): string | number => (typeof key === 'number' ? key : String(key));

const explain = (issue: Issue): Omit<ProblemError, 'pointer'> => {
  const ruled = ruleCode(issue);
  if (ruled !== undefined) return { code: ruled, detail: issue.message };
  if (issue.expected === 'never') return { code: 'unknown_field', detail: 'Is not a known field.' };
  if (isMissing(issue)) return { code: 'required', detail: 'Is required.' };
  if (issue.kind === 'schema' && !chosen.has(issue.type))
    return { code: 'wrong_type', detail: 'Is not of the right type.' };
  return explained[issue.type] ?? { code: 'invalid', detail: 'Is not valid.' };
};

const isMissing = (issue: Issue): boolean =>
  issue.kind === 'schema' && issue.path?.at(-1)?.origin === 'key' && issue.received === 'undefined';

/** Schemas that fail because of the value, not of its type. */
const chosen = new Set(['picklist', 'literal', 'enum', 'union', 'variant', 'custom']);

const notAllowed = { code: 'not_allowed', detail: 'Is not one of the allowed values.' };
const wrongFormat = { code: 'wrong_format', detail: 'Does not have the required form.' };
const tooLong = { code: 'too_long', detail: 'Is too long.' };
const tooShort = { code: 'too_short', detail: 'Is too short.' };
const outOfRange = { code: 'out_of_range', detail: 'Is out of range.' };

const explained: Readonly<Record<string, Omit<ProblemError, 'pointer'>>> = {
  picklist: notAllowed,
  literal: notAllowed,
  enum: notAllowed,
  union: { code: 'not_allowed', detail: 'Is not of an allowed shape.' },
  variant: { code: 'not_allowed', detail: 'Is not of an allowed shape.' },
  regex: wrongFormat,
  email: wrongFormat,
  url: wrongFormat,
  uuid: wrongFormat,
  iso_date: wrongFormat,
  max_length: tooLong,
  max_bytes: tooLong,
  max_entries: tooLong,
  min_length: tooShort,
  non_empty: tooShort,
  min_value: outOfRange,
  max_value: outOfRange,
  integer: { code: 'wrong_type', detail: 'Is not an integer.' },
  safe_integer: { code: 'wrong_type', detail: 'Is not an integer that can be kept exactly.' },
};
