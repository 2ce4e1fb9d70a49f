/** `readBatchRows`: reads the rows of a batch from its file, its records or its corrections, for `importBatch`. */
import * as v from 'valibot';
import type { PropertyScope } from '../../properties/scope.ts';
import { ObjectChangedError, type ObjectStore } from '../../runtime/ports.ts';
import { err, ok } from '../../runtime/result.ts';
import { fileChanged } from '../files/inspect-file.ts';
import { cellHider, readRows } from '../rows/read-rows.ts';
import type { VersionStore } from '../rows/read-version.ts';
import { type FailDeps, loseFile } from '../jobs/fail-import.ts';
import { compileRowMap, unmapped } from '../mapping/row-map.ts';
import type { Batch } from '../items/batch.ts';
import type { ParsedRow } from '../mapping/parsed-row.ts';
import { utcTimeOf } from '../../profiles/text-rules.ts';
import { hideToken, openToken } from '../rows/social-tokens.ts';
import { readCorrections } from '../retry/sealed-corrections.ts';
import type { BatchAttempt } from './batch-attempt.ts';

interface ReadDeps extends FailDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly uploads: VersionStore;
  readonly work: VersionStore & Pick<ObjectStore, 'get'>;
}

/** Reads the rows of a batch. If its file has changed since the inspection, the job fails and each row is refused. */
export const readBatchRows = async (
  deps: ReadDeps,
  { job, batch, definition }: Pick<BatchAttempt, 'job' | 'batch' | 'definition'>,
): Promise<readonly ParsedRow[]> => {
  const { source } = batch;
  if (source.kind === 'records') {
    const { keys } = await deps.scopeOf(job.property);
    return readRecords(deps.work, source.key, keys.tokens);
  }
  const { source: object, layout } = job;
  // Corrected rows count as rows of the file: they must not outrank a consent that was withdrawn in the meantime.
  const arrived = utcTimeOf(job.arrived ?? batch.accepted);
  const map = layout && (await compileRowMap(definition, layout.picks, arrived));
  if (source.kind === 'corrections') {
    const { keys } = await deps.scopeOf(job.property);
    const file = layout && map && { layout, map };
    return readCorrections(deps.work, { key: source.key, tokens: keys.tokens, definition, file });
  }
  if (!object || !layout || !map) throw new Error('import: the file of a batch was not inspected');
  const shown = cellHider(definition, layout);
  try {
    return await readRows(deps[object.bucket], { source, object, layout, map, shown });
  } catch (error) {
    if (!(error instanceof ObjectChangedError)) throw error;
    await loseFile(deps, { property: job.property, job: job.id }, fileChanged);
    return lostRows(batch, source.row);
  }
};

const recordList = v.pipe(v.string(), v.parseJson(), v.array(v.unknown()));

/**
 * Reads the records of a batch that came over the API; `tokens` is the key that opens their social tokens. Throws when the
 * object does not exist, because it was stored before the batch.
 */
const readRecords = async (
  store: Pick<ObjectStore, 'get'>,
  key: string,
  tokens: Uint8Array,
): Promise<readonly ParsedRow[]> => {
  const bytes = await store.get(key);
  if (!bytes) throw new Error('import: the records of a batch do not exist');
  return v.parse(recordList, Buffer.from(bytes).toString('utf8')).map((record, index) => ({
    row: index + 1,
    line: null,
    record: () => ok(unmapped(openToken(tokens, record))),
    original: () => JSON.stringify(hideToken(record)),
  }));
};

const lostRows = ({ records }: Batch, first: number): readonly ParsedRow[] =>
  Array.from({ length: records }, (_, index) => ({
    row: first + index,
    line: null,
    record: () => err({ field: null, code: fileChanged.code, message: fileChanged.message }),
    original: () => null,
  }));
