/** Changes rules: what a body with `changes` must be, and must not have beside it. */
import type { ProblemError } from '../../http/problem.ts';
import { pointerOf } from '../../http/text.ts';
import { UUID_FIELD } from '../model/fields.ts';
import type { ExportBody, NewExportBody } from '../model/schemas.ts';
import { fault } from './field-fault.ts';

type Body = ExportBody & Partial<Pick<NewExportBody, 'destination_of'>>;

/** Changes are rows of a delta in JSON Lines: each line becomes one change of a call. */
export const changesFormFaults = ({ changes, scope, data_format }: Body): readonly ProblemError[] => {
  if (changes === null) return [];
  return [
    ...(scope === 'delta' ? [] : [fault('scope', 'not_a_delta', 'Must be delta with changes.')]),
    ...(data_format === 'jsonl' ? [] : [fault('data_format', 'not_a_delta', 'Must be jsonl with changes.')]),
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
 * The fields that do not go together with changes: the rows go to their receiver alone, in a form of the service. They can
 * be downloaded, too, and a webhook or a mail may tell the end of a job. All members must have a row: somebody without one
 * would not be told later, when nothing but a value of the person has changed.
 */
export const besideChangesFaults = (body: Body): readonly ProblemError[] => {
  if (body.changes === null) return [];
  const code = 'not_with_changes';
  return [
    ...fieldsBesideChanges
      .filter((field) => (body[field] ?? null) !== null)
      .map((field) => fault(field, code, 'Is not for exports with changes.')),
    ...(body.compression === 'none' ? [] : [fault('compression', code, 'Must be none with changes.')]),
    ...(body.field_set === 'email'
      ? [
          fault(
            'field_set',
            code,
            'Must be all or custom with changes: people without an address are told too.',
          ),
        ]
      : []),
  ];
};

/** A column must not take the place of the UUID of the person. */
export const personFaults = ({ changes, custom_result_format }: Body): readonly ProblemError[] =>
  changes === null
    ? []
    : (custom_result_format ?? []).flatMap((column, index): readonly ProblemError[] => {
        const pointer = pointerOf(['custom_result_format', index, 'destination_field_name']);
        const isTaken =
          column.destination_field_name === UUID_FIELD && column.umbel_field_name !== UUID_FIELD;
        const detail = `Each change names its person in ${UUID_FIELD}.`;
        return isTaken ? [{ pointer, code: 'duplicate', detail }] : [];
      });
