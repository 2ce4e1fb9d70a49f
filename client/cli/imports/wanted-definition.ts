/** The import definition that the user wants for a file. */
import { basename } from 'node:path';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { readDocument } from '../files/documents.ts';
import type { Inspected } from '../../src/imports/file-definition.ts';
import type { ImportDefinition, Targets } from '../../src/imports/mapping.ts';
import { type MappingChanges, readDefinition, withoutUnknown, withTargets } from './mapping.ts';
import { seriesOf } from '../../src/imports/names.ts';

/** The options about the definition of an import. */
export interface DefinitionOptions extends MappingChanges {
  readonly name?: string;
  readonly skipUnknown?: boolean;
  readonly encoding?: string;
  readonly headerLine?: number;
  readonly mapping?: string;
}

/** What the user wants of a file. */
export interface Wanted {
  readonly path: string;
  readonly options: DefinitionOptions;
  readonly inspected: Inspected;
  readonly targets: Targets;
}

/** The definition as the user wants it: the suggestion, or the mapping of a file, with the options. */
export const wantedDefinition = async (
  context: Context,
  { path, options, inspected, targets }: Wanted,
): Promise<ImportDefinition> => {
  const { mapping, skipUnknown, encoding, headerLine } = options;
  const suggested = readDefinition(inspected.suggestion.definition);
  const written =
    mapping === undefined ? suggested : readDefinition(await readDocument(context.path(mapping)));
  if (written === undefined) {
    throw usageFailure(
      mapping === undefined
        ? `The service has no suggestion for ${basename(path)}; give it a mapping with --mapping.`
        : `${mapping} is no mapping; write one with --save-mapping.`,
    );
  }
  const changed =
    mapping === undefined || suggested === undefined ? written : withTargets(written, targets, suggested);
  const known = skipUnknown === true ? withoutUnknown(changed, targets) : changed;
  const name = options.name ?? (mapping === undefined ? seriesOf(basename(path)) : written.name);
  return {
    ...known,
    name,
    ...(encoding === undefined ? {} : { encoding }),
    ...(headerLine === undefined ? {} : { header_line: headerLine }),
  };
};
