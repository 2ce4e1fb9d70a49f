/** Changes rules: what a body with `changes` must be, and must not have beside it. */
import type { ProblemError } from '../../http/problem.ts';
import { pointerOf } from '../../http/text.ts';
import type { ExportBody, NewExportBody } from '../model/schemas.ts';

type Body = ExportBody & Partial<Pick<NewExportBody, 'destination_of'>>;

/** The member that names the person in each change, whatever the columns. */
const PERSON = 'profile_uuid';

/** Changes are rows of a delta in JSON Lines: each line becomes one change of a call. */
export const changesFormFaults = ({ changes, scope, data_format }: Body): readonly ProblemError[] => {
  if (changes === null) return [];
  const fault = (field: string, detail: string): ProblemError => ({
    ...{ pointer: `/${field}`, code: 'not_a_delta', detail },
  });
  return [
    ...(scope === 'delta' ? [] : [fault('scope', 'Must be delta with changes.')]),
    ...(data_format === 'jsonl' ? [] : [fault('data_format', 'Must be jsonl with changes.')]),
  ];
};

/** The fields that an export with changes leaves out. */
export const fieldsBesideChanges = [
  'file_name',
  'directory',
  'pgp_public_key',
  'destination_credentials',
  's3_destination',
  'destination_of',
  'start_date',
  'end_date',
] as const;

/**
 * The fields that do not go together with changes. The calls replace the file, so nothing is about the file. All members
 * must have a row: somebody without one would not be told later, when nothing but a value of the person has changed.
 */
export const besideChangesFaults = (body: Body): readonly ProblemError[] => {
  if (body.changes === null) return [];
  const fault = (field: string, detail = 'Is not for exports with changes.'): ProblemError => ({
    ...{ pointer: `/${field}`, code: 'not_with_changes', detail },
  });
  return [
    ...fieldsBesideChanges.filter((field) => (body[field] ?? null) !== null).map((field) => fault(field)),
    ...(body.compression === 'none' ? [] : [fault('compression', 'Must be none with changes.')]),
    ...(body.field_set === 'email'
      ? [fault('field_set', 'Must be all or custom with changes: people without an address are told too.')]
      : []),
  ];
};

/** A column must not take the place of the UUID of the person. */
export const personFaults = ({ changes, custom_result_format }: Body): readonly ProblemError[] =>
  changes === null
    ? []
    : (custom_result_format ?? []).flatMap((column, index): readonly ProblemError[] => {
        const pointer = pointerOf(['custom_result_format', index, 'destination_field_name']);
        const isTaken = column.destination_field_name === PERSON && column.umbel_field_name !== PERSON;
        const detail = `Each change names its person in ${PERSON}.`;
        return isTaken ? [{ pointer, code: 'duplicate', detail }] : [];
      });
