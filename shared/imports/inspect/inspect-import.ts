/** `inspectImport`: shows what an import would make of a file, from the first bytes of the file. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { ApiAnswer, NoQuery, UseCase } from '../../http/api-types.ts';
import { problems } from '../../http/problem.ts';
import { tiers } from '../../profiles/types.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { checkMapping } from '../definitions/definition-rules.ts';
import { readLayout } from '../files/read-layout.ts';
import type { FileFailure } from '../model/import-job.ts';
import { importBody, type ImportBody } from '../model/schemas.ts';
import type { InspectBody } from './inspect-schemas.ts';
import { judgeRows } from './judge-rows.ts';
import { readSample, type Sample, sampleRows, sniffHeader } from './read-sample.ts';
import { type SuggestedMapping, suggestMapping } from './suggest-definition.ts';

/**
 * `POST imports/inspect`: reads the first bytes of a file, and answers with its dialect, its header, its first rows, a
 * suggested definition, and what the rules make of the first rows. The rules are those of the definition in the request,
 * or of the suggested one. Stores nothing. A fault of the file is part of the answer; 422 for a faulty definition.
 */
export const inspectImport: UseCase<object, NoQuery, InspectBody> = async (_, { body, now }) => {
  const { definition } = body;
  if (definition) {
    const mapping = checkMapping(definition);
    if (!mapping.ok) {
      return err(
        problems.invalid(
          mapping.error.map((fault) => ({ ...fault, pointer: `/definition${fault.pointer}` })),
        ),
      );
    }
  }
  const content = Buffer.from(body.content, 'base64').subarray(0, limits.imports.inspectedBytes);
  return ok({ status: 200, body: await inspect(content, definition, now) });
};

const inspect = async (
  content: Buffer,
  definition: ImportBody | undefined,
  now: number,
): Promise<ApiAnswer['body']> => {
  const sample = await readSample(content, 'auto');
  if (!sample.ok) return unreadable(sample.error);
  const header = sniffHeader(sample.value);
  if (!header.ok) return unreadable(header.error);
  const { dialect, cells } = header.value;
  const rows = sampleRows(header.value, sample.value.bytes, limits.imports.inspectedRows);
  const suggestion = await suggestMapping(
    cells.slice(0, limits.imports.columns),
    rows.map((row) => row.cells),
    new Date(now).getUTCFullYear(),
  );
  const suggested = definitionOf(suggestion);
  const rules = definition ?? suggested;
  const judged = rules && (await judge(content, sample.value, rules, now));
  return {
    dialect: { encoding: dialect.encoding, delimiter: dialect.delimiter },
    header: cells,
    sample: rows.slice(0, limits.imports.shownRows).map((row) => row.cells),
    suggestion: { definition: suggested ?? null, columns: suggestion.columns, notes: notesOf(suggestion) },
    failure: judged && !judged.ok ? failureView(judged.error) : null,
    rows: judged?.ok === true ? judged.value : [],
  };
};

const unreadable = (failure: FileFailure): ApiAnswer['body'] => ({
  dialect: null,
  header: [],
  sample: [],
  suggestion: { definition: null, columns: [], notes: [] },
  failure: failureView(failure),
  rows: [],
});

const failureView = ({ code, message, line }: FileFailure) => ({ code, message, line });

/** The suggested definition, which `POST imports` takes as it is; `undefined` for a file without a column to map. */
const definitionOf = ({ fieldMaps }: SuggestedMapping): ImportBody | undefined =>
  fieldMaps.length === 0
    ? undefined
    : v.parse(importBody, {
        name: 'New import',
        delimiter: 'auto',
        encoding: 'auto',
        mapping_fields: { required_fields: [], field_maps: fieldMaps },
      });

const notesOf = ({ hasIdentity }: SuggestedMapping): readonly string[] =>
  hasIdentity ? [] : ['No column says whose record a row is. Map a column to unique_id, email or social_id.'];

/** Judges the first rows by a definition, or returns the fault for which the file would fail. */
const judge = async (
  content: Buffer,
  free: Sample,
  definition: ImportBody,
  now: number,
): Promise<Result<Awaited<ReturnType<typeof judgeRows>>, FileFailure>> => {
  const sample = definition.encoding === 'auto' ? ok(free) : await readSample(content, definition.encoding);
  if (!sample.ok) return sample;
  const { bytes, encoding } = sample.value;
  const layout = readLayout(bytes, encoding, definition);
  if (!layout.ok) return layout;
  const tier = tiers[definition.attribute_source];
  return ok(await judgeRows(bytes, layout.value, definition, { now, tier }));
};
