/** Check definition: finds the faults of a body that depend on several fields, on the stage or on the time. */
import { noticeFaults, type NoticeStage } from '../../deliveries/notice-fields.ts';
import type { ProblemError } from '../../http/problem.ts';
import { pgpKeyDetails } from '../../pgp/key-faults.ts';
import { readRecipient } from '../../pgp/recipient.ts';
import { readSftpDomain, sftpDomainDetail } from '../../sftp/destination.ts';
import type { AddressSettings } from '../../webhooks/address-settings.ts';
import { secretFaults } from '../model/destination.ts';
import type { ExportDefinition } from '../model/items.ts';
import type { ExportBody } from '../model/schemas.ts';
import { fault, ruleFaults } from './definition-rules.ts';

/**
 * The faults of a body whose single fields are valid, at a time (epoch milliseconds). `before` is the definition that the
 * body replaces. `findNamedTargets` checks whether the targets exist.
 */
export const checkDefinition = async (
  body: ExportBody,
  stage: NoticeStage,
  now: number,
  before?: ExportDefinition,
): Promise<readonly ProblemError[]> => [
  ...ruleFaults(body, now),
  ...(await keyFaults(body, now)),
  ...destinationFaults(body, stage),
  ...(body.destination_credentials ? secretFaults(body.destination_credentials, before) : []),
  ...noticeFaults(body, stage),
];

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
