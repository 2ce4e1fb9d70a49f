/** Chooses the import definition of a file: one that the service has, or a new one. */
import { basename } from 'node:path';
import type { Connected } from '../context.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { listed, plain, quoted } from '../terminal/text.ts';
import { isGrave, otherValueLines, otherValues } from '../../src/imports/compare-readings.ts';
import { freeName, type Inspected } from '../../src/imports/file-definition.ts';
import { isRecord } from '../../src/json.ts';
import { inspect } from './inspect.ts';
import type { ImportDefinition } from '../../src/imports/mapping.ts';
import { readDefinition } from './mapping.ts';
import {
  matchOf,
  type Match,
  settingsOf,
  type StoredDefinition,
  type WantedReading,
} from '../../src/imports/same-definition.ts';

/** The definition of an import. */
export interface Chosen {
  /** The definition that the service has; none if it is new. */
  readonly id?: number;
  readonly definition: ImportDefinition;
}

/** Definitions that are compared with a file: the newest. */
const COMPARED = 1_000;

/** The import definitions of a property, the newest first. */
const storedDefinitions = async (context: Connected): Promise<readonly StoredDefinition[]> => {
  const found: StoredDefinition[] = [];
  for await (const one of context.client.listImports({
    query: { order: 'newest', limit: 100 },
  })) {
    const definition = readDefinition(one);
    if (definition !== undefined) found.push({ ...definition, id: one.id });
    if (found.length === COMPARED) break;
  }
  return found;
};

/** The definition of the option `--definition`. */
export const namedDefinition = async (context: Connected, wanted: string): Promise<Chosen> => {
  const stored = await storedDefinitions(context);
  const byId = stored.find(({ id }) => String(id) === wanted);
  const [only, ...others] = byId === undefined ? stored.filter(({ name }) => name === wanted) : [byId];
  if (only === undefined) throw new CommandFailure(`There is no import definition "${wanted}".`);
  if (others.length > 0) {
    throw usageFailure(
      `Several import definitions have the name "${wanted}"; take an id.`,
      [only, ...others].map(({ id }) => String(id)),
    );
  }
  return { id: only.id, definition: only };
};

/** A file for which a definition is looked for. */
export interface Sought extends Omit<WantedReading, 'fileName'> {
  readonly path: string;
  /** Whether the user named the definition: only one of this name may be used again. */
  readonly isNamed: boolean;
  readonly content: string;
  readonly inspected: Inspected;
  /** Whether the command goes on without a question, and imports. */
  readonly isUnasked: boolean;
}

/** The definition that the service has for a file, or a new definition. A question is asked if another name may surprise. */
export const definitionFor = async (context: Connected, sought: Sought): Promise<Chosen> => {
  const { definition, isNamed } = sought;
  const stored = await storedDefinitions(context);
  const candidates = isNamed ? stored.filter(({ name }) => name === definition.name) : stored;
  const match = matchOf(candidates, { ...sought, fileName: basename(sought.path) });
  if (match !== undefined && (await isUsed(context, match, sought)))
    return { id: match.stored.id, definition: match.stored };
  const names = new Set(stored.map(({ name }) => name));
  return { definition: isNamed ? definition : { ...definition, name: freeName(definition.name, names) } };
};

/** Says which definition fits a file and what it does otherwise, and asks if somebody can answer. */
const isUsed = async (context: Connected, match: Match, sought: Sought): Promise<boolean> => {
  const { stored, isSame, differences, nobodies } = match;
  const name = plain(stored.name);
  const read = isSame ? [] : await readOtherwise(context, stored, sought);
  if (read === undefined) return false;
  const lines = [
    ...differences,
    ...(nobodies.length === 0
      ? []
      : [`It takes ${listed(nobodies, nobodies.length)} for the identity of one person, in whichever rows.`]),
    ...otherValueLines(read),
  ].map(plain);
  const settings = settingsOf(stored);
  const about = settings.length === 0 ? '' : ` (${settings.join(', ')})`;
  const isKnown = stored.name === sought.definition.name && lines.length === 0;
  if (isKnown) {
    context.note(`Import definition "${name}"${about} is used again.`);
    return true;
  }
  context.note(`Import definition "${name}"${about} reads these columns already.`, ...lines);
  if (sought.isUnasked && (nobodies.length > 0 || read.some(isGrave))) {
    throw usageFailure(`The import definition "${name}" reads values of this file otherwise.`, [
      `To use it even so: --definition ${quoted(stored.name)}`,
      'For a definition of its own: --name <name>',
    ]);
  }
  if (context.isInteractive && !sought.isUnasked) return context.confirm(`Use definition "${name}"?`, 'yes');
  context.note(`It is used again. For a definition of its own, add --name.`);
  return true;
};

/** The values of the first rows that a definition reads otherwise; `undefined` if it cannot read the file. */
const readOtherwise = async (
  context: Connected,
  stored: StoredDefinition,
  { content, inspected, definition: suggested }: Sought,
) => {
  const [own, wanted] = await Promise.all(
    [stored, suggested].map((definition) =>
      inspect(context, { content, definition: bodyOfStored(definition, inspected) }),
    ),
  );
  if (own === undefined || wanted === undefined || own.failure !== null) return undefined;
  const fields = new Set(stored.mapping_fields.field_maps.map(({ target_field }) => target_field));
  return otherValues(own.rows, wanted.rows, fields);
};

/** A stored definition as a body, for an inspection: without the members that only answers have. */
const bodyOfStored = (stored: ImportDefinition, { suggestion }: Inspected): unknown => {
  const members = isRecord(suggestion.definition) ? Object.keys(suggestion.definition) : [];
  return Object.fromEntries(members.flatMap((name) => (name in stored ? [[name, stored[name]]] : [])));
};
