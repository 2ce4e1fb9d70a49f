/** Normal form: one text for all answers that mean the same. */
import * as v from 'valibot';

/** One result of an engine: the answer to a call, or to one statement of a batch. */
export type Result = { readonly ok: unknown } | { readonly code: string; readonly item?: unknown };

/** A part of a call with the results of both engines. */
export interface Compared {
  readonly operation: string;
  readonly input: unknown;
  readonly embedded: Result;
  readonly external: Result;
}

/** An answer of an engine, parsed. */
export interface Parsed {
  readonly status: number;
  readonly body: unknown;
}

const exception = v.object({
  __type: v.string(),
  Item: v.optional(v.unknown()),
  CancellationReasons: v.optional(v.array(v.looseObject({ Code: v.string() }))),
});
const statements = v.object({ Statements: v.array(v.unknown()) });
const response = v.looseObject({
  Error: v.optional(v.object({ Code: v.string(), Message: v.string(), Item: v.optional(v.unknown()) })),
});
const outcomes = v.object({ Responses: v.array(response) });
const reads = v.looseObject({ Responses: v.record(v.string(), v.array(v.unknown())) });

/** The parts of a call: each statement of a batch that both engines executed, otherwise the call. */
export const partsOf = (
  operation: string,
  input: unknown,
  embedded: Parsed,
  external: Parsed,
): readonly Compared[] => {
  if (operation !== 'BatchExecuteStatement' || embedded.status !== 200 || external.status !== 200)
    return [
      { operation, input, embedded: resultOf(operation, embedded), external: resultOf(operation, external) },
    ];
  const [ours, theirs] = [v.parse(outcomes, embedded.body), v.parse(outcomes, external.body)];
  return v.parse(statements, input).Statements.map((statement, at) => ({
    operation: 'Statement',
    input: statement,
    embedded: outcomeOf(ours.Responses[at] ?? {}),
    external: outcomeOf(theirs.Responses[at] ?? {}),
  }));
};

const outcomeOf = ({ Error: error, ...rest }: v.InferOutput<typeof response>): Result =>
  error ? failure(error.Code, error.Item) : { ok: rest };

const resultOf = (operation: string, { status, body }: Parsed): Result => {
  if (status !== 200) {
    const { __type, Item, CancellationReasons } = v.parse(exception, body);
    const reasons = CancellationReasons?.map(({ Code }) => Code).join(', ');
    return failure([__type.split('#').at(-1), reasons].filter(Boolean).join(' '), Item);
  }
  const answer = withoutUntold(body);
  const read = v.safeParse(reads, answer);
  if (operation !== 'BatchGetItem' || !read.success) return { ok: answer };
  const sorted = Object.entries(read.output.Responses).map(([table, items]): [string, readonly string[]] => [
    table,
    items.map(canonical).sort(),
  ]);
  return { ok: { ...read.output, Responses: Object.fromEntries(sorted) } };
};

/** Without the consumed capacity, and without attributes if there are none: only one of the engines tells these. */
const withoutUntold = (body: unknown): unknown => {
  if (!isRecord(body)) return body;
  const isTold = ([name, value]: [string, unknown]): boolean =>
    name !== 'ConsumedCapacity' &&
    !(name === 'Attributes' && isRecord(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(body).filter(isTold));
};

const failure = (code: string, item: unknown): Result => (item === undefined ? { code } : { code, item });

const SETS = new Set(['SS', 'BS']);

/** A number as digits and an exponent, whatever its notation. */
const numberForm = (text: string): string => {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  let digits = BigInt(`${whole}${fraction}`);
  let power = Number(exponent) - fraction.length;
  if (digits === 0n) return '0';
  for (; digits % 10n === 0n; digits /= 10n) power += 1;
  return `${digits}e${power}`;
};

/** JSON with the names of objects and the members of sets in order. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => {
    if (name === 'NS' && Array.isArray(member)) return member.map((one) => numberForm(String(one))).sort();
    if (SETS.has(name) && Array.isArray(member)) return member.map(String).sort();
    if (name === 'N' && typeof member === 'string') return numberForm(member);
    if (!isRecord(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });

/** Whether a value is an object with names. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
