/** `inspectFile`: checks the encoding, header and columns of a file, as the first step of its workflow. */
import { limits } from '../../config/limits.ts';
import type { Tier } from '../../profiles/types.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import { ObjectChangedError, type ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { changeJob, type ChangeDeps } from '../model/change-job.ts';
import { type Header, type HeaderFault, headerWindow, readHeader } from '../../csv/read-header.ts';
import { type ImportDefinition, tierOf } from '../model/import-definition.ts';
import { expandFile, isCompressed } from './expand-file.ts';
import { failFile, fileFailure } from '../jobs/fail-import.ts';
import type { FileFailure, ImportJob, Layout, StoredObject } from '../model/import-job.ts';
import type { JobReference } from '../model/job-messages.ts';
import { canMove, moved } from '../model/transitions.ts';
import { readVersion, type VersionStore } from './read-version.ts';

export interface InspectDeps extends ChangeDeps {
  readonly uploads: VersionStore;
  readonly work: VersionStore & Pick<ObjectStore, 'putStream'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Output of a step of the workflow. The workflow ends when the file has failed. */
export interface StepAnswer {
  readonly status: 'ok' | 'failed';
}

/**
 * First step of a file: expands a compressed file, and checks encoding, header and columns against the definition. A
 * fault of the file fails the job with the reason and throws nothing.
 */
export const inspectFile = async (deps: InspectDeps, reference: JobReference): Promise<StepAnswer> => {
  const job = await deps.imports.job(reference.property, reference.job);
  if (!job) throw new Error('import: the job does not exist');
  if (!canMove(job, 'inspect')) return { status: job.phase === 'failed' ? 'failed' : 'ok' };
  const found = await inspect(deps, job).catch((error: unknown) => {
    if (error instanceof ObjectChangedError) return err(fileChanged);
    throw error;
  });
  if (!found.ok) {
    await failFile(deps, reference, found.error);
    return { status: 'failed' };
  }
  await changeJob(deps, reference, (seen) =>
    canMove(seen, 'inspect') ? { ...moved('inspect'), ...found.value } : undefined,
  );
  return { status: 'ok' };
};

/** The failure of a file that was replaced or deleted after its import had started. */
export const fileChanged = fileFailure('file_changed', 'The file was replaced or deleted while it was read.');

type Inspection = Result<
  { readonly source: StoredObject; readonly layout: Layout; readonly tier: Tier },
  FileFailure
>;

const inspect = async (deps: InspectDeps, job: ImportJob): Promise<Inspection> => {
  const definition = await deps.imports.definitionOfJob(job);
  const upload = job.file?.object;
  if (!definition || definition.deleted || !upload)
    return err(fileFailure('definition_gone', 'The definition of this import was deleted.'));
  const start = await readStart(deps.uploads, upload);
  const source = isCompressed(start) ? await expandFile(deps, job, upload) : ok(upload);
  if (!source.ok) return source;
  const plain = source.value === upload ? start : await readStart(deps.work, source.value);
  const header = readHeader(plain, definition.encoding, definition.delimiter);
  if (!header.ok) return err(headerFailure(header.error));
  const layout = layoutOf(definition, header.value);
  if (!layout.ok) return layout;
  return ok({ source: source.value, layout: layout.value, tier: tierOf(definition) });
};

/** Reads the first bytes of an object, enough for any header. */
const readStart = async (store: VersionStore, object: StoredObject): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  const to = Math.min(object.size, headerWindow) - 1;
  if (to >= 0) for await (const part of readVersion(store, object, { from: 0, to })) parts.push(part);
  return Buffer.concat(parts);
};

const headerMessages: Readonly<Record<HeaderFault, string>> = {
  wrong_encoding: "The file is not in the definition's encoding.",
  no_header: 'The file has no header line.',
  bad_header: 'The header line has a quote in the wrong place.',
  header_too_large: `The header line is over ${limits.imports.headerBytes} bytes.`,
};

const headerFailure = (fault: HeaderFault): FileFailure =>
  fileFailure(fault, headerMessages[fault], { line: 1 });

/** Finds the columns of every field map in the header. A missing or repeated column fails the file. */
const layoutOf = (definition: ImportDefinition, header: Header): Result<Layout, FileFailure> => {
  const { cells } = header;
  if (cells.length > limits.imports.columns) {
    return err(
      fileFailure('too_many_columns', `The file has over ${limits.imports.columns} columns.`, { line: 1 }),
    );
  }
  const picks: number[][] = [];
  for (const { sources } of definition.mapping_fields.field_maps) {
    const pick: number[] = [];
    for (const { name } of sources) {
      const wanted = name.trim();
      const index = cells.indexOf(wanted);
      if (index === -1) return err(columnFailure('missing_column', name, 'is not in the header'));
      if (cells.includes(wanted, index + 1))
        return err(columnFailure('duplicate_column', name, 'is in the header twice'));
      pick.push(index);
    }
    picks.push(pick);
  }
  const { dialect, text, offset, line } = header;
  return ok({ dialect, header: text, columns: cells.length, picks, offset, line });
};

const columnFailure = (code: string, column: string, fault: string): FileFailure =>
  fileFailure(code, `The column "${column}" of the definition ${fault}.`, { field: column, line: 1 });
