/** The form of files of `tidemark plan` and `apply`: definitions as code. */
import * as v from 'valibot';
import { failed, ok, type Result } from '../result.ts';

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

/** Reads the content of a file. Fails with a sentence about the first fault. */
export const readDefinitions = (content: unknown): Result<Definitions, string> => {
  // A list would pass as an object without members.
  const parsed = v.safeParse(definitions, Array.isArray(content) ? undefined : content);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const place = v.getDotPath(issue);
    return failed(
      place === null
        ? `The file must have the members ${kinds.join(', ')}, each with a list.`
        : `${place}: ${issue.expected === 'never' ? 'this member is unknown' : `must be ${issue.expected}`}.`,
    );
  }
  for (const kind of kinds) {
    const names = parsed.output[kind].map((entry) => entry.name);
    const twice = names.find((one, index) => names.indexOf(one) !== index);
    if (twice !== undefined) return failed(`${kind}: the name "${twice}" appears twice.`);
  }
  return ok(parsed.output);
};
