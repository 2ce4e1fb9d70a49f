/** `inspectImport`: shows what an import would make of a file, from the first bytes of the file. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { headerRepetition } from '../../csv/no-row.ts';
import type { ApiAnswer, NoQuery, UseCase } from '../../http/api-types.ts';
import { permit } from '../../http/permit.ts';
import { type ProblemError, problems } from '../../http/problem.ts';
import { bytesInAnswer, countWithin } from '../../http/fitting.ts';
import { MAX_FAULTS } from '../../http/text.ts';
import { tiers } from '../../profiles/types.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { visibleText } from '../../runtime/visible-text.ts';
import { checkMapping, inDefinition } from '../definitions/definition-rules.ts';
import { readLayout } from '../files/read-layout.ts';
import { withoutWords } from '../files/text-remarks.ts';
import { columnsOf } from '../mapping/field-map.ts';
import type { FileFailure } from '../items/import-job.ts';
import { importBody, type ImportBody } from '../schemas/definition-schemas.ts';
import { HIDDEN } from '../rows/social-tokens.ts';
import { columnFaults, demandFaults, type DemandedTargets, targetFaults } from './demanded-targets.ts';
import { type Doubt, examplesOf } from './doubt.ts';
import { headerDoubts } from './header-doubts.ts';
import { hiddenCells, type ReadingRules, tokenColumns } from './hidden-cells.ts';
import type { InspectBody } from './inspect-schemas.ts';
import { judgeRows } from './judge-rows.ts';
import { readSample, type Sample, sampleRows } from './read-sample.ts';
import { type FoundHeader, headerBy, sniffHeader } from './sniff-header.ts';
import { shiftedHeader } from './suggest/shifted-header.ts';
import { type SuggestedMapping, suggestMapping } from './suggest/suggest-definition.ts';
import { type InspectedFile, uploadedFile, type UploadedFileDeps } from './uploaded-file.ts';

/**
 * `POST imports/inspect`: reads the first bytes of a file, and answers with its dialect, its header, its first rows, a
 * suggested definition, and what the rules make of the first rows. The rules are those of the definition in the request,
 * or of the suggested one. A request may name the fields of columns, and the suggestion then keeps to them. The bytes are
 * in the request, or in the file of a job: 403 for that without `people.read`. Stores nothing. A fault of the file is
 * part of the answer; 422 for a faulty definition, for fields or columns that do not exist and for an unknown job, 409 for
 * a job without a file to read.
 */
export const inspectImport: UseCase<UploadedFileDeps, NoQuery, InspectBody> = async (deps, request) => {
  const { body, now } = request;
  const { definition, upload } = body;
  // Somebody else may have sent the file of a job.
  const permitted = upload ? permit(request, 'people.read') : ok(undefined);
  if (!permitted.ok) return permitted;
  if (definition) {
    const mapping = checkMapping(definition);
    if (!mapping.ok) return err(problems.invalid(mapping.error.map(inDefinition)));
  }
  const file = upload ? await uploadedFile(deps, request.property, upload.job_id) : ok(sentFile(body));
  if (!file.ok) return file;
  const targets = new Map(Object.entries(body.targets ?? {}));
  const answer = await inspect(file.value, { definition, targets }, now);
  if (!answer.ok) return err(problems.invalid(answer.error));
  return ok({ status: 200, ...(upload ? { audited: upload } : {}), body: answer.value });
};

const sentFile = ({ content = '' }: InspectBody): InspectedFile => ({
  content: Buffer.from(content, 'base64').subarray(0, limits.imports.inspectedBytes),
});

interface Wishes {
  readonly definition: ImportBody | undefined;
  readonly targets: DemandedTargets;
}

/** Reads the sample. Where a column holds social tokens, no message shows a word of the file. */
const sampleOf = (
  content: Buffer,
  secretive: ReadingRules | undefined,
  { definition, targets }: Wishes,
): Promise<Result<Sample, FileFailure>> => {
  const encoding = (secretive ?? named(definition))?.encoding ?? 'auto';
  const hidesWords = secretive !== undefined || [...targets.values()].includes('social_token');
  return readSample(content, encoding, hidesWords);
};

const inspect = async (
  { content, definition: ofJob }: InspectedFile,
  { definition, targets }: Wishes,
  now: number,
): Promise<Result<ApiAnswer['body'], readonly ProblemError[]>> => {
  const ofFields = targetFaults(targets);
  const definitions = [ofJob, definition].filter((each) => each !== undefined);
  // Tokens are in columns. So the definition that maps them says how the file is read, the definition of the job first.
  const secretive = definitions.find((each) => tokenColumns(each).length > 0);
  const sample = await sampleOf(content, secretive, { definition, targets });
  if (!sample.ok) return unreadable(sample.error, ofFields);
  const found = secretive ? headerBy(sample.value, secretive) : sniffHeader(sample.value, definition);
  if (!found.ok) return unreadable(found.error, ofFields);
  const { header_line, trim } = found.value;
  const { dialect, cells } = found.value.header;
  const faults = [...ofFields, ...columnFaults(targets, cells)];
  if (faults.length > 0) return err(faults.slice(0, MAX_FAULTS));
  const secret = [...targets].flatMap(([column, target]) => (target === 'social_token' ? [column] : []));
  const tokens = new Set([...definitions.flatMap((each) => tokenColumns(each)), ...secret]);
  const hidden = hiddenCells(cells, tokens);
  const seen = seenRows(found.value, sample.value);
  const isSecret = tokens.size > 0;
  const suggestion = await suggestMapping(
    cells.slice(0, limits.imports.columns),
    seen.people.map((row) => hidden.visible(row.cells).map((cell) => cell ?? '')),
    { tokens, targets, year: new Date(now).getUTCFullYear(), shift: isSecret ? undefined : seen.shift },
  );
  const suggested = definitionOf(suggestion, found.value);
  const unfit = suggested ? demandFaults(targets, suggested) : [];
  if (unfit.length > 0) return err(unfit);
  const rules = definition ?? suggested;
  const judging = (own: ImportBody): ImportBody => ({
    ...withoutTokens(own, tokens),
    // With `auto`, the rows keep the encoding of the sample.
    ...(secretive && { encoding: 'auto', delimiter: dialect.delimiter, header_line, trim }),
  });
  const ofHeader = isSecret ? [] : headerDoubts(sample.value, found.value, seen);
  const ofFile = [...textDoubts(sample.value, isSecret), ...ofHeader];
  const judged = rules && (await judge(content, sample.value, judging(rules), now));
  const shown = {
    dialect: { encoding: dialect.encoding, delimiter: dialect.delimiter },
    header: cells,
    sample: seen.rows
      .slice(0, limits.imports.shownRows)
      .map((row) => hidden.visible(row.cells).map((cell) => cell ?? HIDDEN)),
    hidden: hidden.reason,
    suggestion: suggestionView(suggestion, suggested, ofFile),
    failure: judged && !judged.ok ? failureView(judged.error) : null,
  };
  const judgedRows =
    judged?.ok === true && !hidden.hidesAll
      ? judged.value.map((row, index) =>
          hidden.locates(seen.rows[index]?.cells ?? []) ? row : { ...row, record: null },
        )
      : [];
  // Many maps of one long cell make rows that are larger than the file.
  const room = limits.http.pageBytes - bytesInAnswer(shown);
  return ok({ ...shown, rows: judgedRows.slice(0, countWithin(judgedRows, room)) });
};

const suggestionView = (
  mapping: SuggestedMapping,
  suggested: ImportBody | undefined,
  ofFile: readonly Doubt[],
) => ({
  definition: suggested ?? null,
  columns: mapping.columns,
  doubts: [...ofFile, ...mapping.doubts],
  has_identity: mapping.hasIdentity,
  notes: mapping.notes,
});

/** The rows of a sample, those of them that repeat the header, and the others, which alone a suggestion looks at. */
const seenRows = ({ header }: FoundHeader, { bytes }: Sample) => {
  const place = { ...header, columns: header.cells.length };
  const rows = sampleRows(place, bytes, limits.imports.inspectedRows);
  const repeats = headerRepetition(header.cells);
  const people = rows.filter(({ cells }) => repeats(cells) === undefined);
  const repeated = rows.filter((row) => !people.includes(row));
  return { rows, repeated, people, shift: shiftedHeader(header.cells, people) };
};

/** A definition whose encoding says how the file is read. `utf-8` needs no word, because the bytes prove it. */
const named = (definition: ImportBody | undefined): ImportBody | undefined =>
  definition?.encoding === 'utf-8' ? undefined : definition;

/** The remarks about the text of a file as doubts. */
const textDoubts = ({ remarks }: Sample, hidesWords: boolean): readonly Doubt[] =>
  remarks.map((remark) => {
    const { seen, cells, saw, does } = hidesWords ? withoutWords(remark) : remark;
    return { column: null, saw, cells, examples: examplesOf(seen), does };
  });

/** A definition that judges rows without showing social tokens in other fields. */
const withoutTokens = (rules: ImportBody, hidden: ReadonlySet<string>): ImportBody => {
  const { mapping_fields } = rules;
  const field_maps = mapping_fields.field_maps.filter(
    (map) =>
      map.target_field === 'social_token' ||
      !columnsOf(map).some((column) => hidden.has(visibleText(column))),
  );
  return { ...rules, mapping_fields: { ...mapping_fields, field_maps } };
};

/** The answer about a file without a header that can be read, unless the request itself is at fault. */
const unreadable = (
  failure: FileFailure,
  faults: readonly ProblemError[],
): Result<ApiAnswer['body'], readonly ProblemError[]> =>
  faults.length > 0
    ? err(faults.slice(0, MAX_FAULTS))
    : ok({
        dialect: null,
        header: [],
        sample: [],
        hidden: null,
        suggestion: { definition: null, columns: [], doubts: [], has_identity: false, notes: [] },
        failure: failureView(failure),
        rows: [],
      });

const failureView = ({ code, message, line }: FileFailure) => ({ code, message, line });

/** The suggested definition, which `POST imports` takes as it is; `undefined` for a file without a column to map. */
const definitionOf = (
  { fieldMaps, notIdentities }: SuggestedMapping,
  { header_line, trim }: FoundHeader,
): ImportBody | undefined =>
  fieldMaps.length === 0
    ? undefined
    : v.parse(importBody, {
        name: 'New import',
        delimiter: 'auto',
        encoding: 'auto',
        header_line,
        trim,
        mapping_fields: { required_fields: [], field_maps: fieldMaps },
        not_identities: notIdentities,
      });

/** Judges the first rows by a definition, or returns the fault for which the file would fail. */
const judge = async (
  content: Buffer,
  free: Sample,
  definition: ImportBody,
  now: number,
): Promise<Result<Awaited<ReturnType<typeof judgeRows>>, FileFailure>> => {
  const sample =
    definition.encoding === 'auto' ? ok(free) : await readSample(content, definition.encoding, true);
  if (!sample.ok) return sample;
  const { bytes, encoding } = sample.value;
  const layout = readLayout(bytes, encoding, definition);
  if (!layout.ok) return layout;
  const tier = tiers[definition.attribute_source];
  return ok(await judgeRows(bytes, layout.value, definition, { now, tier }));
};
