import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { LINE_END, printLine } from '../../shared/csv/print-line.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import { batchAnswer } from '../../shared/imports/schemas/batch-schemas.ts';
import { type ImportHarness, request, simpleDefinition, withDefinition } from './import-harness.ts';
import { answered } from '../support/requests.ts';

/** A job with refused rows. */
export interface Place {
  readonly harness: ImportHarness;
  readonly importId: number;
  readonly job: number;
}

/** The list of its refused rows, as CSV. */
export const download = async ({ harness, importId, job }: Place): Promise<string> => {
  const { body } = await harness.download(importId, job);
  return typeof body === 'string' ? body : '';
};

/** The downloaded list with its rows changed, printed as a spreadsheet would. */
export const edited = (
  csv: string,
  edit: (row: string[]) => string[] | undefined,
  delimiter: ',' | ';' = ',',
): string => {
  const [header = [], ...rows] = parse(csv, {});
  const kept = rows.map((row) => edit([...row])).filter((row) => row !== undefined);
  return [header, ...kept]
    .map((row) => printLine({ delimiter, formulaGuard: false }, row) + LINE_END)
    .join('');
};

export const asking = ({ importId, job }: Place, csv: string) =>
  request({ import_id: importId, job_id: job }, {}, { csv });
export const retry = (place: Place, csv: string) => retryImportJob(place.harness.deps, asking(place, csv));
export const retried = (place: Place, csv: string) => answered(retry(place, csv), batchAnswer);

/** Pointers and codes of the faults of a list; none when the list is accepted. */
export const codesOf = async (place: Place, csv: string): Promise<readonly string[]> => {
  const answer = await retry(place, csv);
  if (answer.ok) return [];
  expect(answer.error.status).toBe(422);
  return (answer.error.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
};

/** The job of a file that has been worked off. */
export const fromFile = async (file: string, definition: unknown = simpleDefinition): Promise<Place> => {
  const { harness, id: importId } = await withDefinition(definition);
  return { harness, importId, job: (await harness.runFile(importId, file)).id };
};
export const countsOf = async ({ harness, importId, job }: Place) =>
  (await harness.readJob(importId, job)).counts;
export const errorsOf = async ({ harness, importId, job }: Place) =>
  (await harness.readErrors(importId, job)).errors;
