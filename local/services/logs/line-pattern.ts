/** Line patterns: the filter patterns of CloudWatch Logs for lines of JSON, as far as the stacks use them. */
import * as v from 'valibot';

/** Decides whether a line matches. */
type LinePattern = (line: string) => boolean;

const fields = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

/** Compiles `{ $.field = "value" }`; undefined for other patterns. A line that is not JSON never matches. */
export const compileLinePattern = (pattern: string): LinePattern | undefined => {
  const [, field = '', wanted] = /^\{ \$\.([\w-]+) = "([^"*\\]+)" \}$/.exec(pattern) ?? [];
  if (wanted === undefined) return undefined;
  return (line) => {
    // Almost no line matches, and reading one takes 20 µs. Only a backslash can hide a value from this look.
    if (!line.includes(wanted) && !line.includes('\\')) return false;
    const read = v.safeParse(fields, line);
    return read.success && read.output[field] === wanted;
  };
};
