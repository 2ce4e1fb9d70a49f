/** Judge rows: what the rules of a definition make of the first rows of a file, for `inspectImport`. */
import { limits } from '../../config/limits.ts';
import type { RecordContext } from '../../profiles/normalize-record.ts';
import { utcTimeOf } from '../../http/text.ts';
import { recordCheck } from '../rows/check-records.ts';
import { cellHider, readRows, type VersionStore } from '../rows/read-rows.ts';
import { compileRowMap } from '../mapping/row-map.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { Layout } from '../items/import-job.ts';
import type { ParsedRow } from '../mapping/parsed-row.ts';
import { hideToken } from '../rows/social-tokens.ts';
import { sampleRows } from './read-sample.ts';

type Rules = Pick<ImportDefinition, 'mapping_fields' | 'not_identities' | 'tags_mode'>;

/** Judges the first rows as an import would: with the record of each row, its faults and its warnings. */
export const judgeRows = async (bytes: Buffer, layout: Layout, definition: Rules, context: RecordContext) => {
  const check = recordCheck(definition, context);
  const rows = await firstRows(bytes, layout, definition, context.now);
  return rows.map((parsed) => {
    const { row, line } = parsed;
    const mapped = parsed.record();
    const checked = check(mapped);
    return {
      row,
      line,
      record: mapped.ok ? hideToken(mapped.value.record) : null,
      faults: checked.ok
        ? []
        : checked.error.map(({ column = null, field, code, message }) => ({ column, field, code, message })),
      warnings: checked.ok
        ? checked.value.warnings.map(({ column, field, code, detail }) => ({
            column,
            field,
            code,
            message: detail,
          }))
        : [],
    };
  });
};

/** The first rows, read as the worker of a batch reads a chunk of a file. */
const firstRows = async (
  bytes: Buffer,
  layout: Layout,
  definition: Rules,
  now: number,
): Promise<readonly ParsedRow[]> => {
  const end = sampleRows(layout, bytes, limits.imports.shownRows).at(-1)?.next;
  if (end === undefined) return [];
  const arrived = utcTimeOf(now);
  return readRows(storeOf(bytes), {
    source: { kind: 'rows', start: layout.offset, end, row: 1, line: layout.line, tooLarge: false },
    object: { bucket: 'work', key: 'sample', etag: 'sample', size: bytes.length, checksum: null },
    layout,
    map: await compileRowMap(definition, layout.picks, arrived),
    shown: cellHider(definition, layout),
  });
};

const storeOf = (bytes: Buffer): VersionStore => ({
  head: () => Promise.resolve(undefined),
  read: (_key, { from = 0, to = bytes.length - 1 }) => partOf(bytes.subarray(from, to + 1)),
});

async function* partOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
