/** Tells a person who misspells a field, or names it in another language, which field that is. */
import type { Connected } from '../context.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import { columnFields } from '../fields.ts';
import { inspect } from '../imports/inspect.ts';
import { onProblem } from '../problems.ts';
import { nearest } from '../segments/nearest.ts';
import type { ExportColumn } from '../exports/options.ts';

/** The answer of a request that stores columns. A refusal of columns names the fields that were meant. */
export const withNearFields = <T>(
  context: Connected,
  columns: readonly ExportColumn[],
  request: Promise<T>,
): Promise<T> =>
  onProblem(request, async (problem) => {
    const unknown = problem.errors.flatMap(({ pointer, code }) => {
      const [, index] = /^\/custom_result_format\/(\d+)\/umbel_field_name$/.exec(pointer) ?? [];
      const column = index === undefined ? undefined : columns[Number(index)];
      return code === 'unknown_attribute' && column !== undefined ? [column.umbel_field_name] : [];
    });
    if (unknown.length === 0) throw problem;
    const lines: string[] = [];
    for (const name of unknown) {
      const near = await fieldNear(context, name);
      const hint =
        near === undefined ? '' : ` Did you mean ${near}? Write ${near}=${name} to keep your heading.`;
      lines.push(`--columns "${name}": There is no such field.${hint}`);
    }
    const all = `The fields are ${columnFields.join(', ')}, consent.<channel>, extra_data.<name> and extra_data.`;
    throw new CommandFailure(problem.detail, exitCodes.failed, [...lines, all]);
  });

const fields: ReadonlySet<string> = new Set(columnFields);

/** The field with a similar name, or else the field that a column of this name would fill in an import. */
const fieldNear = async (context: Connected, name: string): Promise<string | undefined> => {
  const [near] = nearest(name, columnFields);
  if (near !== undefined) return near;
  const file = `"${name.replaceAll('"', '""')}"\nx\n`;
  const { suggestion } = await inspect(context, {
    content: Buffer.from(file).toString('base64'),
  });
  const target = suggestion.columns[0]?.target_field ?? '';
  return fields.has(target) ? target : undefined;
};
