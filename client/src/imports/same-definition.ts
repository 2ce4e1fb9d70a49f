/** Finds the import definition that reads a file as its own, whatever the name of the file. */
import { differencesOf } from '../difference.ts';
import { listed } from '../listed.ts';
import {
  columnsOf,
  hasColumns,
  hasIdentity,
  type ImportDefinition,
  isExtra,
  type Targets,
  targetsOf,
} from './mapping.ts';
import { seriesOf } from './names.ts';

/** A definition that the service has. */
export interface StoredDefinition extends ImportDefinition {
  readonly id: number;
}

/** A file, and how the user wants it to be read. */
export interface WantedReading {
  readonly fileName: string;
  readonly definition: ImportDefinition;
  readonly header: readonly string[];
  /** The columns of the file that are not empty. */
  readonly filled: readonly string[];
  /** The columns of which the user spoke. A definition that does otherwise is not for this file. */
  readonly targets: Targets;
  /** Members of the definition that the user stated. A definition that has others is not for this file. */
  readonly stated: readonly string[];
}

/** A stored definition for a file. */
export interface Match {
  readonly stored: StoredDefinition;
  /** Whether it has the very mapping that is wanted. */
  readonly isSame: boolean;
  /** In sentences, which columns it reads otherwise. */
  readonly differences: readonly string[];
  /** Values that the file suggests as nobody's identity, and that the definition takes for somebody's. */
  readonly nobodies: readonly string[];
}

/**
 * The definition that reads the file: with the name of the file, or else with the very mapping that is wanted, or else the
 * first. `stored` has the newest first.
 *
 * A suggestion follows from the first rows of one file, and a column may be empty in one week and not in the next. So a
 * definition that fits may read values otherwise than the suggestion, and may fill more fields. A definition of another name
 * must not leave out a column that the suggestion keeps. A definition with the name of the file may, because a person has
 * decided that; most columns must be read as suggested even so.
 */
export const matchOf = (stored: readonly StoredDefinition[], wanted: WantedReading): Match | undefined => {
  const rank = (match: Match): number => (isOwn(match.stored, wanted) ? 2 : 0) + (match.isSame ? 1 : 0);
  const matches = stored.filter((one) => fits(one, wanted)).map((one) => compared(one, wanted));
  return matches.toSorted((one, other) => rank(other) - rank(one))[0];
};

/** Whether a definition has the name of the file, which a date or a number may follow. */
const isOwn = ({ name }: StoredDefinition, { definition }: WantedReading): boolean =>
  name === definition.name || seriesOf(name) === seriesOf(definition.name);

const fits = (stored: StoredDefinition, wanted: WantedReading): boolean => {
  const { definition, header, targets, stated, fileName } = wanted;
  const { file_match_rule: rule } = stored;
  const kinds = readingsOf(stored, wanted).map(({ kind }) => kind);
  return (
    (typeof rule !== 'string' || globMatches(rule, fileName)) &&
    hasIdentity(stored) &&
    hasColumns(header, stored) &&
    stated.every((name) => differencesOf(definition[name], stored[name]).length === 0) &&
    [...targets].every(([column, target]) => fieldOf(stored, column) === (target ?? '')) &&
    (isOwn(stored, wanted)
      ? kinds.filter((kind) => kind === 'same').length * 2 > kinds.length
      : kinds.every((kind) => kind === 'same' || kind === 'more'))
  );
};

const compared = (stored: StoredDefinition, wanted: WantedReading): Match => {
  const readings = readingsOf(stored, wanted);
  const own = stored.mapping_fields.field_maps;
  const maps = wanted.definition.mapping_fields.field_maps;
  const isSame =
    maps.every((map) => own.some((one) => isEqual(one, map))) &&
    own.every((one) => maps.some((map) => isEqual(one, map)) || isOfEmpty(one, wanted)) &&
    formMembers.every((name) => differencesOf(wanted.definition[name], stored[name]).length === 0);
  const known = new Set(textsOf(stored['not_identities']).map((text) => text.toLowerCase()));
  const suggested = textsOf(wanted.definition['not_identities']);
  const nobodies = suggested.filter((text) => !known.has(text.toLowerCase()));
  return { stored, isSame, differences: differencesIn(readings), nobodies };
};

const textsOf = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((one: unknown) => typeof one === 'string') : [];

/** The members of a definition, besides its mapping, that decide how the rows of a file are read. */
const formMembers = ['delimiter', 'encoding', 'header_line', 'trim', 'not_identities'] as const;

const isEqual = (one: unknown, other: unknown): boolean =>
  differencesOf(one, other).length === 0 && differencesOf(other, one).length === 0;

const isOfEmpty = (
  map: ImportDefinition['mapping_fields']['field_maps'][number],
  { filled }: WantedReading,
): boolean => columnsOf(map).every((column) => !filled.includes(column));

/** What a stored definition does with a column, compared with what is wanted. */
interface Reading {
  readonly column: string;
  readonly field: string;
  readonly wanted: string;
  /** `more`: it fills a field, where the suggestion knew none. */
  readonly kind: 'same' | 'more' | 'left out' | 'other';
}

const readingsOf = (stored: StoredDefinition, { filled, definition }: WantedReading): readonly Reading[] =>
  filled.map((column) => {
    const field = fieldOf(stored, column);
    const wanted = fieldOf(definition, column);
    return { column, field, wanted, kind: kindOf(field, wanted) };
  });

/** The fields that a column fills, as one text; empty for a column that is left out. */
const fieldOf = (definition: ImportDefinition, column: string): string =>
  targetsOf(definition, column).toSorted().join(', ');

const kindOf = (field: string, wanted: string): Reading['kind'] => {
  if (field === wanted) return 'same';
  if (field === '') return 'left out';
  return wanted === '' || isExtra(wanted) ? 'more' : 'other';
};

const NAMES_SHOWN = 12;

const differencesIn = (readings: readonly Reading[]): readonly string[] => {
  const left = readings.filter(({ kind }) => kind === 'left out').map(({ column }) => column);
  const others = readings.filter(({ kind }) => kind === 'other' || kind === 'more');
  return [
    ...(left.length === 0 ? [] : [`It leaves out ${listed(left, NAMES_SHOWN)}.`]),
    ...others.map(
      ({ column, field, wanted }) =>
        `It reads "${column}" into ${field}${wanted === '' ? '' : ` instead of ${wanted}`}.`,
    ),
  ];
};

/** Whether a name matches a `file_match_rule`, a pattern with `*` and `?`: each part is taken where it fits first. */
const globMatches = (glob: string, name: string): boolean => {
  const [first = '', ...parts] = glob.split('*');
  const isAt = (part: string, at: number): boolean =>
    at + part.length <= name.length &&
    part.split('').every((char, index) => char === '?' || char === name.charAt(at + index));
  const last = parts.pop();
  if (!isAt(first, 0)) return false;
  if (last === undefined) return first.length === name.length;
  let at = first.length;
  for (const part of parts) {
    while (at < name.length && !isAt(part, at)) at += 1;
    if (!isAt(part, at)) return false;
    at += part.length;
  }
  return name.length - last.length >= at && isAt(last, name.length - last.length);
};

/** Settings that change what an import does, with the values that a new definition has. */
const usualSettings: Readonly<Record<string, unknown>> = {
  tags_mode: 'add',
  attribute_source: 'stated',
  skip_appends: false,
  test_mode: false,
};

/** The settings of a definition that somebody changed, in words. */
export const settingsOf = (stored: ImportDefinition): readonly string[] =>
  Object.entries(usualSettings).flatMap(([name, value]) => {
    const own = stored[name];
    return own === undefined || own === value ? [] : [`${name} ${JSON.stringify(own).replaceAll('"', '')}`];
  });
