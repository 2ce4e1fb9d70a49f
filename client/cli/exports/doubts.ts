/** Says what an export will probably do otherwise than its maker thinks, before it is made. */
import type { Connected } from '../context.ts';
import { OWN } from '../expression/where.ts';
import { onProblem } from '../problems.ts';
import { missingKeys } from '../segments/preview.ts';
import { count, plain } from '../terminal/text.ts';
import type { Export } from './describe.ts';
import type { ExportColumn } from './options.ts';
import { unknownChannel } from './why-empty.ts';

/** The parts of a new export that may be misspelt. */
interface Wanted {
  readonly columns: readonly ExportColumn[];
  readonly consent: string | undefined;
}

/**
 * Says that nobody has a key of the extra data, and that nobody has stated anything on a channel. Throws a failure if a
 * similar key is known: mostly, it is misspelt.
 */
export const tellDoubts = async (context: Connected, { columns, consent }: Wanted): Promise<void> => {
  const keys = columns.map((one) => one.umbel_field_name).filter((field) => field.startsWith(OWN));
  if (keys.length > 0) context.note(...(await keysWithoutValues(context, keys)));
  if (consent !== undefined) context.note(...(await unknownChannel(context.client, consent)));
};

/** Only those who may see people learn which keys have no values. */
const keysWithoutValues = async (context: Connected, keys: readonly string[]): Promise<readonly string[]> => {
  const definition = { any: keys.map((field) => ({ where: { field, op: 'exists' as const } })) };
  const preview = await onProblem(context.client.previewSegment({ body: { definition } }), () => undefined);
  return preview === undefined ? [] : missingKeys(context, preview);
};

/** Says that another export has the name of a new one, so that the name alone means neither. */
export const tellNamesakes = async (
  context: Connected,
  { id, name }: Pick<Export, 'id' | 'name'>,
): Promise<void> => {
  const others: string[] = [];
  for await (const one of context.client.listExports())
    if (one.id !== id && one.name?.toLowerCase() === name?.toLowerCase()) others.push(one.id);
  if (others.length === 0) return;
  const who =
    others.length === 1 ? 'There is another export' : `There are ${count(others.length)} other exports`;
  context.note(`${who} "${plain(name ?? '')}": name this one by its id, ${id}.`);
};
