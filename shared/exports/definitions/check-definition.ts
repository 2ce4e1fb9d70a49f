/** Check definition: finds the faults of a body that depend on several fields, on the stage, the time or stored data. */
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { limits } from '../../config/limits.ts';
import { noticeFaults, urlFaults, type NoticeStage } from '../../deliveries/notice-fields.ts';
import type { ApiRequest, NoQuery } from '../../http/api-types.ts';
import type { BodyRule } from '../../http/body-rule.ts';
import { problems, type Problem, type ProblemError } from '../../http/problem.ts';
import { check, validRest } from '../../http/schema-faults.ts';
import { pointerOf } from '../../http/text.ts';
import { pgpKeyDetails } from '../../pgp/key-faults.ts';
import { readRecipient } from '../../pgp/recipient.ts';
import { err, type Result } from '../../runtime/result.ts';
import { scheduleFaults } from '../../schedules/timetable.ts';
import { readSftpDomain, sftpDomainDetail } from '../../sftp/destination.ts';
import type { AddressSettings } from '../../webhooks/address-settings.ts';
import { secretFaults } from '../model/definition-fields.ts';
import { CHANGE_COLUMN, identifyingFields } from '../model/fields.ts';
import { templateFaults } from '../model/file-names.ts';
import type { ExportDefinition } from '../model/items.ts';
import { newExportBody, type ExportBody, type NewExportBody } from '../model/schemas.ts';
import { findNamedTargets, type NamedTargets, type TargetDeps } from '../model/targets.ts';
import {
  besideChangesFaults,
  changesFormFaults,
  fieldsBesideChanges,
  personFaults,
} from './changes-rules.ts';
import { fault } from './field-fault.ts';

/** Ports of `checkDefinition`. */
export interface CheckDeps extends TargetDeps {
  readonly catalogue: TargetDeps['catalogue'] & Pick<SegmentCatalogue, 'find'>;
  readonly stage: NoticeStage;
}

/**
 * Checks a body whose single fields are valid, and finds the targets that it names; one answer has the faults of the rules
 * and of the targets. `before` is the definition that the body replaces.
 */
export const checkDefinition = async (
  deps: CheckDeps,
  { property, body, now }: Pick<ApiRequest<NoQuery, JudgedBody>, 'property' | 'body' | 'now'>,
  before?: ExportDefinition,
): Promise<Result<NamedTargets, Problem>> => {
  const faults = [
    ...ruleFaults(body, now),
    ...(await keyFaults(body, now)),
    ...destinationFaults(body, deps.stage),
    ...(body.destination_credentials ? secretFaults(body.destination_credentials, before) : []),
    ...noticeFaults(body, deps.stage),
    ...(body.changes ? urlFaults(body.changes.url, deps.stage, '/changes/url') : []),
  ];
  const targets = await findNamedTargets(deps, property.id, body);
  const all = targets.ok ? faults : [...faults, ...targets.error];
  return targets.ok && all.length === 0 ? targets : err(problems.invalid(all));
};

const keyFaults = async ({ pgp_public_key }: ExportBody, now: number): Promise<readonly ProblemError[]> => {
  if (pgp_public_key === null) return [];
  const read = await readRecipient(pgp_public_key, now);
  return read.ok ? [] : [fault('pgp_public_key', read.error, pgpKeyDetails[read.error])];
};

const destinationFaults = (
  { destination_credentials }: ExportBody,
  settings: AddressSettings,
): readonly ProblemError[] => {
  if (destination_credentials === null) return [];
  const read = readSftpDomain(destination_credentials.domain, settings.privateTargets);
  return read.ok
    ? []
    : [fault('destination_credentials/domain', read.error, sftpDomainDetail(read.error, settings))];
};

/** What rules judge: the body of a PUT, or of a POST. */
type JudgedBody = ExportBody & Partial<Pick<NewExportBody, 'destination_of'>>;

/** A rule, and the fields that it reads. */
interface FieldRule {
  readonly reads: readonly (keyof JudgedBody)[];
  readonly judge: (body: JudgedBody, now: number) => readonly ProblemError[];
}

/** The faults by the rules that need neither the stage nor stored data. */
const ruleFaults = (body: JudgedBody, now: number): readonly ProblemError[] =>
  rules.flatMap(({ judge }) => judge(body, now));

/** The same for a body with faults in single fields: a rule judges it if all fields that it reads are valid. */
export const exportRule: BodyRule = (sent, now) => {
  const checked = check(newExportBody, sent);
  const { rest, faulty } = validRest(newExportBody, sent, checked.ok ? [] : checked.faults);
  const due = rules.filter(({ reads }) => !reads.some((field) => faulty.has(field)));
  return rest ? due.flatMap(({ judge }) => judge(rest, now)) : [];
};

const targetFaults = ({ segment, collection, tile_types }: ExportBody): readonly ProblemError[] =>
  [segment, collection, tile_types].some((targets) => targets !== null && targets.length > 0)
    ? []
    : [
        fault(
          'segment',
          'nothing_to_export',
          'One of segment, collection and tile_types must name something.',
        ),
      ];

const { columnsOfField: mostColumns } = limits.work;
const tooOften = { code: 'too_many', detail: `Is in more than ${mostColumns} columns.` } as const;

const formatFaults = ({ field_set, custom_result_format }: ExportBody): readonly ProblemError[] => {
  const name = 'custom_result_format';
  if (field_set !== 'custom')
    return custom_result_format === null ? [] : [fault(name, 'not_allowed', 'Is for field_set custom only.')];
  if (custom_result_format === null) return [fault(name, 'required', 'Is required with field_set custom.')];
  const seen = new Set<string>();
  const columnsOf = new Map<string, number>();
  return custom_result_format.flatMap(({ umbel_field_name, destination_field_name }, index) => {
    const at = (member: string): string => pointerOf([name, index, member]);
    const columns = (columnsOf.get(umbel_field_name) ?? 0) + 1;
    columnsOf.set(umbel_field_name, columns);
    const faults: readonly ProblemError[] =
      columns === mostColumns + 1 ? [{ pointer: at('umbel_field_name'), ...tooOften }] : [];
    if (!seen.has(destination_field_name)) {
      seen.add(destination_field_name);
      return faults;
    }
    const detail = 'Another column has this name.';
    return [...faults, { pointer: at('destination_field_name'), code: 'duplicate', detail }];
  });
};

/**
 * A delta adds a column, and needs a column that identifies the people in its removed rows. Changes that are told in calls
 * name each person anyway.
 */
const deltaFaults = ({ scope, changes, custom_result_format }: ExportBody): readonly ProblemError[] => {
  if (scope !== 'delta' || custom_result_format === null) return [];
  const name = 'custom_result_format';
  const taken = custom_result_format.flatMap((column, index): readonly ProblemError[] => {
    const pointer = pointerOf([name, index, 'destination_field_name']);
    return column.destination_field_name === CHANGE_COLUMN
      ? [{ pointer, code: 'duplicate', detail: 'The first column of a delta has this name.' }]
      : [];
  });
  const tells =
    changes !== null || custom_result_format.some((column) => identifyingFields.has(column.umbel_field_name));
  const detail = `A delta needs one of ${[...identifyingFields].join(', ')}.`;
  return tells ? taken : [...taken, fault(name, 'identity_required', detail)];
};

const hasDestination = ({ destination_credentials, s3_destination }: ExportBody): boolean =>
  destination_credentials !== null || s3_destination !== null;

const directoryFaults = (body: JudgedBody): readonly ProblemError[] => {
  const { directory, changes, destination_of: shared = null } = body;
  const detail = 'Is for exports with destination_credentials or s3_destination only.';
  return directory === null || hasDestination(body) || shared !== null || changes !== null
    ? []
    : [fault('directory', 'not_allowed', detail)];
};

const sharingFaults = (body: JudgedBody): readonly ProblemError[] => {
  const { destination_of: shared = null } = body;
  const detail = 'Is not for a body with destination_credentials or s3_destination.';
  return shared !== null && hasDestination(body) ? [fault('destination_of', 'not_allowed', detail)] : [];
};

const dateFaults = ({ start_date, end_date }: ExportBody): readonly ProblemError[] =>
  start_date !== null && end_date !== null && end_date < start_date
    ? [fault('end_date', 'out_of_range', 'Must not be before start_date.')]
    : [];

/** An export that is silent when nothing changed may run more often. */
const scheduleRule = (
  { schedule, skip_empty, changes }: ExportBody,
  now: number,
): readonly ProblemError[] => {
  if (schedule === null) return [];
  const { everyMinutes, quietEveryMinutes } = limits.schedules;
  return scheduleFaults(schedule, now, skip_empty || changes !== null ? quietEveryMinutes : everyMinutes);
};

const rules: readonly FieldRule[] = [
  { reads: ['segment', 'collection', 'tile_types'], judge: targetFaults },
  { reads: ['field_set', 'custom_result_format'], judge: formatFaults },
  { reads: ['scope', 'changes', 'custom_result_format'], judge: deltaFaults },
  { reads: ['start_date', 'end_date'], judge: dateFaults },
  {
    reads: [
      'name',
      'file_name',
      'directory',
      'scope',
      'data_format',
      'compression',
      'pgp_public_key',
      'schedule',
    ],
    judge: templateFaults,
  },
  {
    reads: ['directory', 'destination_credentials', 's3_destination', 'destination_of', 'changes'],
    judge: directoryFaults,
  },
  { reads: ['destination_credentials', 's3_destination', 'destination_of'], judge: sharingFaults },
  { reads: ['schedule', 'skip_empty', 'changes'], judge: scheduleRule },
  { reads: ['changes', 'scope', 'data_format'], judge: changesFormFaults },
  { reads: ['changes', 'custom_result_format'], judge: personFaults },
  {
    reads: ['changes', 'compression', 'field_set', ...fieldsBesideChanges],
    judge: besideChangesFaults,
  },
];
