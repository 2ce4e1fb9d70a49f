/** Schema faults: checks a value with a schema and lists its faults, for 400 and 422 problems. */
import * as v from 'valibot';
import { expectationOf, unknownFieldOf } from './expectation.ts';
import { isObject } from './json.ts';
import type { ProblemError } from './problem.ts';
import { ruleCode } from './rule.ts';
import { isCleanText, MAX_FAULTS, pointerOf } from './text.ts';

/**
 * Checks a value with a schema. The faults name the place, the kind and what the schema expects, never the value: messages
 * of the schema library quote the value, so only messages that our own schemas set are passed on.
 */
export const check = <Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
):
  { readonly ok: true; readonly value: Output } | { readonly ok: false; readonly faults: ProblemError[] } => {
  const parsed = v.safeParse(schema, value, { abortPipeEarly: true });
  return parsed.success
    ? { ok: true, value: parsed.output }
    : { ok: false, faults: faultsOf({ schema, output: parsed.output }, parsed.issues) };
};

/** The valid part of a faulty object, and the names of the members that it lacks because they are at fault. */
export interface ValidRest<Output> {
  readonly rest: Output | undefined;
  readonly faulty: ReadonlySet<string>;
}

/**
 * The object without the members that are at fault, so that rules over several members can judge the others. Undefined if
 * the schema takes no such part: use it with schemas whose members are optional.
 */
export const validRest = <Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
  faults: readonly ProblemError[],
): ValidRest<Output> => {
  const faulty = new Set(faults.flatMap(({ pointer }) => pointer.split('/')[1] ?? []));
  if (!isObject(value)) return { rest: undefined, faulty };
  const kept = Object.entries(value).filter(([name]) => !faulty.has(name));
  const checked = check(schema, Object.fromEntries(kept));
  return { rest: checked.ok ? checked.value : undefined, faulty };
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

interface Checked {
  readonly schema: v.GenericSchema;
  /** What the schema has read; it has the known fields only. */
  readonly output: unknown;
}

const faultsOf = (checked: Checked, issues: readonly Issue[]): ProblemError[] =>
  issues
    .slice(0, MAX_FAULTS)
    .flatMap((issue) =>
      issue.expected === 'never' ? unknownFields(checked, issue) : faultOf(checked.schema, issue),
    )
    .slice(0, MAX_FAULTS);

/** Unknown fields that are reported for one object. */
const MAX_UNKNOWN = 20;

/** A fault for each unknown field of an object, because the schema library reports only the first. */
const unknownFields = ({ schema, output }: Checked, issue: Issue): readonly ProblemError[] => {
  const path = issue.path ?? [];
  const [parents, last] = [path.slice(0, -1), path.at(-1)];
  const sent = last?.input;
  const read = parents.reduce<unknown>((part, { key }) => memberOf(part, key), output);
  const unknown =
    isObject(sent) && isObject(read) ? Object.keys(sent).filter((key) => !Object.hasOwn(read, key)) : [];
  const names = unknown.length > 0 ? unknown : [String(last?.key)];
  const place = parents.map(({ key }) => keyOf(key));
  return names.slice(0, MAX_UNKNOWN).map((name) => ({
    pointer: pointerOf([...place, name]),
    code: 'unknown_field',
    detail: unknownFieldOf(schema, parents, { name, object: sent }),
  }));
};

const memberOf = (value: unknown, key: unknown): unknown => {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isObject(value) ? value[String(key)] : undefined;
};

const faultOf = (schema: v.GenericSchema, issue: Issue): ProblemError => {
  const pointer = pointerOf((issue.path ?? []).map(({ key }) => keyOf(key)));
  return { pointer, ...explain(schema, issue) };
};

const keyOf = (key: unknown): string | number => (typeof key === 'number' ? key : String(key));

const explain = (schema: v.GenericSchema, issue: Issue): Omit<ProblemError, 'pointer'> => {
  const ruled = ruleCode(issue);
  if (ruled !== undefined) return { code: ruled, detail: issue.message };
  return isMissing(issue) ? { code: 'required', detail: 'Is required.' } : expectationOf(schema, issue);
};

const isMissing = (issue: Issue): boolean =>
  issue.kind === 'schema' && issue.path?.at(-1)?.origin === 'key' && issue.received === 'undefined';
