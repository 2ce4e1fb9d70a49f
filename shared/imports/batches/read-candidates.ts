import type { PropertyScope } from '../../properties/scope.ts';
import { ObjectChangedError, type ObjectStore } from '../../runtime/ports.ts';
import { err } from '../../runtime/result.ts';
import type { ParsedRow } from '../model/candidates.ts';
import { type FailDeps, loseFile } from '../jobs/fail-file.ts';
import { cellHider } from '../reports/hide-cells.ts';
import { readCorrections } from '../retry/corrections.ts';
import { fileChanged } from '../files/inspect-file.ts';
import type { Batch } from '../model/job.ts';
import type { BatchAttempt } from './batch-work.ts';
import { readRecords } from './read-records.ts';
import { readRows } from '../files/read-rows.ts';
import { compileRowMap } from '../mapping/row-map.ts';

interface ReadDeps extends FailDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly uploads: Pick<ObjectStore, 'read'>;
  readonly work: Pick<ObjectStore, 'read' | 'get'>;
}

/**
 * Reads a batch into candidates. When its file is not the same any more, the job fails and each row of the batch is
 * refused for that.
 */
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
  const map = layout && compileRowMap(definition, layout.picks, dateTime(batch.accepted));
  if (source.kind === 'corrections') {
    const { keys } = await deps.scopeOf(job.property);
    const file = layout && map && { layout, map };
    return readCorrections(deps.work, { key: source.key, tokens: keys.tokens, definition, file });
  }
  if (!object || !layout || !map) throw new Error('import: the file of a batch was not inspected');
  try {
    return await readRows(deps[object.bucket], {
      source,
      object,
      layout,
      map,
      shown: cellHider(definition, layout),
    });
  } catch (error) {
    if (!(error instanceof ObjectChangedError)) throw error;
    await loseFile(deps, { property: job.property, job: job.id }, fileChanged);
    return lostRows(batch, source.row);
  }
};

const lostRows = ({ records }: Batch, first: number): readonly ParsedRow[] =>
  Array.from({ length: records }, (_, index) => ({
    row: first + index,
    line: null,
    record: () => err({ field: null, code: fileChanged.code, message: fileChanged.message }),
    original: () => null,
  }));

/** Epoch milliseconds as a tag's `YYYY-MM-DD HH:MM:SS`. */
const dateTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
