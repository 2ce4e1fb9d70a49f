/** The form of files of `tidemark plan` and `apply`: definitions as code. */
import * as v from 'valibot';
import { failed, ok, type Result } from '../result.ts';
import { nearest } from '../segments/nearest.ts';

const name = v.pipe(v.string(), v.nonEmpty());
const listOf = <S extends v.GenericSchema>(entry: S) => v.optional(v.array(entry), []);

const definitions = v.strictObject({
  segments: listOf(v.strictObject({ name, expression: v.string() })),
  imports: listOf(v.looseObject({ name })),
  exports: listOf(
    v.looseObject({ name, segments: v.optional(v.array(v.string())), every: v.optional(v.string()) }),
  ),
  timelines: listOf(
    v.strictObject({
      name,
      segment: v.string(),
      every: v.optional(v.string()),
      comments: v.optional(v.string()),
    }),
  ),
});

/** The definitions in a file, by kind. Each has a name, which is unique in its kind. */
export type Definitions = v.InferOutput<typeof definitions>;

/** The kinds of definitions, in the order in which they may name each other. */
export const kinds = ['segments', 'imports', 'exports', 'timelines'] as const;
export type Kind = (typeof kinds)[number];

/** The members of a definition that the service does not judge. */
const members: Readonly<Record<string, readonly string[]>> = {
  segments: ['name', 'expression'],
  timelines: ['name', 'segment', 'every', 'comments'],
};

/** A fault in a sentence: `segments[0]: there is no "expresion"; did you mean "expression"?` */
const sentenceOf = ({ path, expected, received }: v.BaseIssue<unknown>): string => {
  const keys = (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  const last = keys.pop();
  if (last === undefined) return `The file must have the members ${kinds.join(', ')}, each with a list.`;
  const member = String(last);
  const at = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const place = at === '' ? '' : `${at.slice(1)}: `;
  if (expected === 'never') {
    const [near] = nearest(member, keys.length === 0 ? kinds : (members[String(keys[0])] ?? []));
    return `${place}there is no "${member}"${near === undefined ? '.' : `; did you mean "${near}"?`}`;
  }
  if (received === 'undefined') return `${place}"${member}" is missing.`;
  return `${place}"${member}" must be ${words[expected ?? ''] ?? expected}.`;
};

/** What members must be, in words. */
const words: Readonly<Record<string, string>> = {
  string: 'a text',
  '!0': 'a text that is not empty',
  Array: 'a list',
  Object: 'an object with members',
};

/** Reads the content of a file. Fails with a sentence about the first fault. */
export const readDefinitions = (content: unknown): Result<Definitions, string> => {
  // A list would pass as an object without members.
  const parsed = v.safeParse(definitions, Array.isArray(content) ? undefined : content);
  if (!parsed.success) {
    // A misspelt member is also a missing one; its name helps more.
    const issue = parsed.issues.find(({ expected }) => expected === 'never') ?? parsed.issues[0];
    return failed(sentenceOf(issue));
  }
  for (const kind of kinds) {
    const names = parsed.output[kind].map((entry) => entry.name);
    const twice = names.find((one, index) => names.indexOf(one) !== index);
    if (twice !== undefined) return failed(`${kind}: the name "${twice}" appears twice.`);
  }
  return ok(parsed.output);
};
