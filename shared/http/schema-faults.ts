/** Schema faults: checks a value with a schema and lists its faults, with what the schema expects there, for 400 and 422 problems. */
import * as v from 'valibot';
import { isObject } from './json.ts';
import type { ProblemError } from './problem.ts';
import { ruleCode } from './rule.ts';
import { isCleanText, MAX_FAULTS, pointerOf } from './text.ts';
import { didYouMean } from './did-you-mean.ts';
import { elementsAt, exampleAt, boundAt, hasPart, knownFields, partsAt } from './schema-places.ts';
import { allOf } from '../runtime/shortened.ts';

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

/** A choice of more options is told by its first options. */
const MAX_OPTIONS = 40;

type Parts = ReturnType<typeof partsAt>;
type Said = Omit<ProblemError, 'pointer'>;

/** What the schema expects where it found a fault: the code of the fault and a sentence without the value. */
const expectationOf = (schema: v.GenericSchema, issue: v.BaseIssue<unknown>): Said => {
  const parts = partsAt(schema, issue.path ?? [], issue.input);
  const said = issue.kind === 'schema' ? ofSchema(issue, parts) : ofAction(issue, parts);
  return { ...said, detail: /^Invalid /.test(issue.message) ? said.detail : issue.message };
};

/** The sentence for the field `name` of an object that the schema does not know; `path` leads to the object. */
const unknownFieldOf = (
  schema: v.GenericSchema,
  path: Parameters<typeof partsAt>[1],
  { name, object }: { readonly name: string; readonly object: unknown },
): string => {
  const known = knownFields(partsAt(schema, path, object));
  const meant = didYouMean(name, known);
  if (meant !== '' || known.length === 0) return `Is not known here.${meant}`;
  const few = known.length <= MAX_OPTIONS ? known : [...known.slice(0, MAX_OPTIONS), '…'];
  return `Is not known here; known: ${few.join(', ')}.`;
};

const ofSchema = (issue: v.BaseIssue<unknown>, parts: Parts): Said => {
  if (issue.type === 'custom') return { code: 'invalid', detail: 'Is not valid.' };
  const code = chosen.has(issue.type) ? 'not_allowed' : 'wrong_type';
  if (issue.type === 'union' && isObject(issue.input))
    return { code, detail: `Must be an object with ${allOf(knownFields(parts), 'or')}.` };

  const options = optionsOf(issue.expected ?? '');
  if (issue.type === 'picklist' && options.length > MAX_OPTIONS) {
    const some = allOf(options.slice(0, 3), 'or');
    return {
      code,
      detail: `Must be one of ${options.length} names, such as ${some}.${meantOf(issue, options)}`,
    };
  }
  const words = options.map((option) => wordsOf(option, parts));
  const orNull = hasPart(parts, 'nullable') || hasPart(parts, 'nullish') ? ['null'] : [];
  const all = allOf([...new Set([...words, ...orNull])], 'or');
  const isPart = options.includes('a list') || options.includes('an object');
  const example = isPart ? exampleAt(parts) : undefined;
  const such = example === undefined ? '' : `, for example ${example}`;
  return { code, detail: all === '' ? 'Is not valid.' : `Must be ${all}${such}.${meantOf(issue, options)}` };
};

/** The option of an expectation as precisely as the schemas at the place tell it. */
const wordsOf = (option: string, parts: Parts): string => {
  if (option === 'a number') return numberOf(parts);
  const elements = option === 'a list' ? elementsAt(parts) : undefined;
  return elements === undefined ? option : `${option} of ${elements}`;
};

const meantOf = ({ input, type }: v.BaseIssue<unknown>, options: readonly string[]): string =>
  chosen.has(type) && typeof input === 'string' ? didYouMean(input, options) : '';

/** Schemas that fail because of the value, not of its type. */
const chosen = new Set(['picklist', 'literal', 'union', 'variant']);

/** The options of an expectation of the schema library, such as `("a" | string | null)`, in words. */
const optionsOf = (expected: string): readonly string[] =>
  [...expected.matchAll(/"([^"]*)"|[^\s()|]+/g)]
    .map(([word, quoted]) => quoted ?? words[word] ?? word)
    .filter((option) => option !== '');

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
  undefined: '',
  unknown: '',
};

const numberOf = (parts: Parts): string => {
  const whole = hasPart(parts, 'integer') || hasPart(parts, 'safe_integer');
  const [least, most] = [boundAt(parts, 'min_value'), boundAt(parts, 'max_value')];
  const kind = whole ? 'a whole number' : 'a number';
  return least === undefined || most === undefined ? kind : `${kind}, ${least} to ${most}`;
};

const ofAction = (issue: v.BaseIssue<unknown>, parts: Parts): Said => {
  const { type, input } = issue;
  switch (type) {
    case 'min_value':
    case 'max_value':
      return { code: 'out_of_range', detail: `Must be ${range(parts, ['min_value', 'max_value'])}.` };
    case 'min_length':
    case 'max_length': {
      const code = type === 'min_length' ? 'too_short' : 'too_long';
      const size = range(parts, ['min_length', 'max_length']);
      if (Array.isArray(input))
        return { code, detail: `Must have ${size} ${size.endsWith(' 1') ? 'entry' : 'entries'}.` };
      return {
        code,
        detail:
          input === ''
            ? 'Must not be empty.'
            : `Must have ${size} ${size.endsWith(' 1') ? 'character' : 'characters'}.`,
      };
    }
    case 'min_entries':
    case 'max_entries': {
      const size = range(parts, ['min_entries', 'max_entries']);
      return {
        code: type === 'min_entries' ? 'too_short' : 'too_long',
        detail: `Must have ${size} entries.`,
      };
    }
    case 'max_bytes':
      return {
        code: 'too_long',
        detail: `Must have ${range(parts, ['min_bytes', 'max_bytes'])} bytes of UTF-8.`,
      };
    case 'integer':
      return { code: 'wrong_type', detail: `Must be ${numberOf(parts)}.` };
    case 'safe_integer': {
      const huge = typeof input === 'number' && Math.abs(input) > Number.MAX_SAFE_INTEGER;
      const bound = huge ? `a whole number, at most ${Number.MAX_SAFE_INTEGER}` : numberOf(parts);
      return { code: 'wrong_type', detail: `Must be ${bound}.` };
    }
    default:
      return {
        code: formats.has(type) ? 'wrong_format' : 'invalid',
        detail: 'Does not have the required form.',
      };
  }
};

const formats = new Set(['regex', 'email', 'url', 'uuid', 'iso_date']);

/** The range that two actions at a place set. */
const range = (parts: Parts, [lower, upper]: readonly [string, string]): string => {
  const [least, most] = [boundAt(parts, lower), boundAt(parts, upper)];
  if (least === undefined) return `at most ${most}`;
  if (most === undefined) return `at least ${least}`;
  return least === most ? `exactly ${least}` : `${least} to ${most}`;
};
