/** Asks the service what an import would make of a file. */
import { open } from 'node:fs/promises';
import { INSPECTED_BYTES, type Inspected } from '../../src/imports/file-definition.ts';
import { bodyOf } from '../bodies.ts';
import type { Connected } from '../context.ts';
import { namingOptions, type OptionAt, optionWith } from '../faults.ts';
import type { Targets } from '../../src/imports/mapping.ts';

/** The first bytes of a file in base64. */
export const beginningOf = async (path: string): Promise<string> => {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(INSPECTED_BYTES), 0, INSPECTED_BYTES, 0);
    return buffer.toString('base64', 0, bytesRead);
  } finally {
    await handle.close();
  }
};

/** How the user says that a file is written. */
export interface Form {
  readonly encoding?: string;
  readonly headerLine?: number;
}

/** A definition that has nothing but a form, and fills no field from a column. */
export const formDefinition = ({ encoding = 'auto', headerLine }: Form): unknown => ({
  name: 'form',
  ...{ encoding, delimiter: 'auto', header_line: headerLine ?? null },
  mapping_fields: {
    required_fields: [],
    field_maps: [{ sources: [{ type: 'constant', value: 'form' }], target_field: 'extra_data.form' }],
  },
});

/** The options of a form behind places in its definition. */
export const formOptionAt =
  ({ encoding, headerLine }: Form): OptionAt =>
  (pointer) => {
    if (pointer === '/definition/encoding' && encoding !== undefined)
      return optionWith('--encoding', encoding);
    return pointer === '/definition/header_line' && headerLine !== undefined
      ? optionWith('--header-line', String(headerLine))
      : undefined;
  };

/** What a command wants to know of a file. */
export interface Question {
  /** The first bytes of the file in base64. */
  readonly content: string;
  /** The fields that columns shall fill. */
  readonly targets?: Targets;
  /** A definition to try. */
  readonly definition?: unknown;
}

/** Inspects the beginning of a file. A refusal of a target names its option. */
export const inspect = (
  context: Connected,
  { content, targets, definition }: Question,
  optionAt: OptionAt = () => undefined,
): Promise<Inspected> => {
  const body = {
    content,
    ...(targets === undefined || targets.size === 0 ? {} : { targets: Object.fromEntries(targets) }),
    ...(definition === undefined ? {} : { definition: bodyOf('createImport', definition) }),
  };
  return namingOptions(optionAt, context.client.inspectImport({ body }));
};
