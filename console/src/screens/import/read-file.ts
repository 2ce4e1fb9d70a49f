/** How a file would be read: what the service found, and the import definition that it suggests or already has. */
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import { filledColumns, freeName, type Inspected } from '../../../../client/src/imports/file-definition.ts';
import { isGrave, otherValueLines, otherValues } from '../../../../client/src/imports/compare-readings.ts';
import { seriesOf } from '../../../../client/src/imports/names.ts';
import { matchOf } from '../../../../client/src/imports/same-definition.ts';
import type { Answer, Input } from '../../../../client/src/types.ts';
import type { ChosenFile } from './first-bytes.ts';

/** A definition that the service has. */
export type Stored = Answer<'listImports'>['imports'][number];

/** A definition as a request sends it. */
export type Definition = Input<'createImport'>['body'];

/** How the reader wants the file to be read. */
export interface Wish {
  /** The field of each column that the reader changed; `null` leaves it out. */
  readonly targets: ReadonlyMap<string, string | null>;
  readonly encoding: Definition['encoding'];
  readonly delimiter: Definition['delimiter'];
  readonly headerLine: number | undefined;
  /** Whether a definition of its own is wanted, although one fits. */
  readonly isOwn: boolean;
}

/** How the file would be read. */
export interface Reading {
  readonly inspected: Inspected;
  /** What the import would use; `undefined` if no column can be mapped. */
  readonly definition: Definition | undefined;
  /** The definition of the service that is used again. */
  readonly again: Again | undefined;
  readonly rows: Inspected['rows'];
  readonly failure: Inspected['failure'];
}

/** A definition that is used again, and what it does otherwise than the suggestion. */
export interface Again {
  readonly stored: Stored;
  readonly differences: readonly string[];
  /** Values that it takes for somebody's identity, although they look like nobody's. */
  readonly nobodies: readonly string[];
  /** Whether a value of the first rows would be stored in a field otherwise than the file suggests. */
  readonly isDoubtful: boolean;
}

/** Definitions that are compared with a file: the newest, as on the command line. */
const COMPARED = 1_000;

/** The definitions of a property, the newest first. Throws as a call does. */
export const storedDefinitions = async (api: Tidemark): Promise<readonly Stored[]> =>
  (await api.listImports({ query: { order: 'newest', limit: COMPARED } })).imports;

type Content = Pick<ChosenFile, 'content'>;

const tried = (api: Tidemark, { content }: Content, definition: Definition): Promise<Inspected> =>
  api.inspectImport({ body: { content, definition } });

/** A stored definition as a request sends it. */
const bodyOf = (stored: Stored): Definition => ({
  name: stored.name,
  mapping_fields: stored.mapping_fields,
  delimiter: stored.delimiter,
  encoding: stored.encoding,
  header_line: stored.header_line,
  trim: stored.trim,
  attribute_source: stored.attribute_source,
  skip_appends: stored.skip_appends,
  tags_mode: stored.tags_mode,
  test_mode: stored.test_mode,
  file_match_rule: stored.file_match_rule,
  notification_email: stored.notification_email,
  webhook_url: stored.webhook_url,
  result_files: stored.result_files,
  max_new_segments: stored.max_new_segments,
  max_refused_share: stored.max_refused_share,
  not_identities: stored.not_identities,
  max_addresses_per_id: stored.max_addresses_per_id,
});

/** Finds out how a file would be read. Throws as a call does. */
export const readFile = async (
  api: Tidemark,
  chosen: ChosenFile,
  stored: readonly Stored[],
  wish: Wish,
): Promise<Reading> => {
  const { content, file } = chosen;
  const form = formIn(wish);
  const hasForm = Object.keys(form).length > 0;
  const inspect = (targets: Wish['targets']): Promise<Inspected> =>
    api.inspectImport({
      body: {
        content,
        ...(targets.size === 0 ? {} : { targets: Object.fromEntries(targets) }),
        ...(hasForm ? { definition: onlyForm(form) } : {}),
      },
    });
  // Written otherwise, the file may have other columns. The reader's choice stays for those that it still has.
  const plain = hasForm && wish.targets.size > 0 ? await inspect(new Map()) : undefined;
  const targets = new Map([...wish.targets].filter(([column]) => plain?.header.includes(column) !== false));
  const inspected = await inspect(targets);
  const { suggestion, rows, failure } = inspected;
  if (suggestion.definition === null)
    return { inspected, definition: undefined, again: undefined, rows: [], failure };
  const suggested: Definition = {
    ...suggestion.definition,
    name: seriesOf(file.name),
    ...form,
  };
  const again = wish.isOwn
    ? undefined
    : await usedAgain(api, { chosen, inspected, suggested, stored, wish: { ...wish, targets } });
  if (again !== undefined)
    return { inspected, definition: bodyOf(again.stored), again: again.again, ...again.reading };
  const names = new Set(stored.map(({ name }) => name));
  const definition = { ...suggested, name: freeName(suggested.name, names) };
  const read = hasForm ? await tried(api, chosen, definition) : { rows, failure };
  return { inspected, definition, again: undefined, rows: read.rows, failure: read.failure };
};

/** The members of a definition with which the reader says how the file is written. */
const formIn = ({ encoding, delimiter, headerLine }: Wish) => ({
  ...(encoding === undefined ? {} : { encoding }),
  ...(delimiter === undefined ? {} : { delimiter }),
  ...(headerLine === undefined ? {} : { header_line: headerLine }),
});

/** A definition that says only how the file is written, for a first look at its columns. */
const onlyForm = (form: ReturnType<typeof formIn>): Definition => ({
  name: 'form',
  ...{ encoding: 'auto', delimiter: 'auto', header_line: null, ...form },
  mapping_fields: {
    required_fields: [],
    field_maps: [{ sources: [{ type: 'constant', value: 'form' }], target_field: 'extra_data.form' }],
  },
});

interface Sought {
  readonly chosen: ChosenFile;
  readonly inspected: Inspected;
  readonly suggested: Definition;
  readonly stored: readonly Stored[];
  readonly wish: Wish;
}

/** The definition of the service that reads the file, if there is one that can, and how it reads the first rows. */
const usedAgain = async (api: Tidemark, { chosen, inspected, suggested, stored, wish }: Sought) => {
  const match = matchOf(stored, {
    fileName: chosen.file.name,
    definition: suggested,
    header: inspected.header,
    filled: filledColumns(inspected),
    targets: wish.targets,
    stated: Object.keys(formIn(wish)),
  });
  const own = stored.find(({ id }) => id === match?.stored.id);
  if (match === undefined || own === undefined) return undefined;
  const [is, wanted] = await Promise.all([
    tried(api, chosen, bodyOf(own)),
    match.isSame ? undefined : tried(api, chosen, suggested),
  ]);
  if (is.failure !== null) return undefined;
  const fields = new Set(own.mapping_fields.field_maps.map(({ target_field }) => target_field));
  const others = wanted === undefined ? [] : otherValues(is.rows, wanted.rows, fields);
  const again: Again = {
    stored: own,
    differences: [...match.differences, ...otherValueLines(others)],
    nobodies: match.nobodies,
    isDoubtful: match.nobodies.length > 0 || others.some(isGrave),
  };
  return { stored: own, again, reading: { rows: is.rows, failure: is.failure } };
};
