/** Deliver file: pushes the file of a job to the SFTP server of its export. */
import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import { UNREACHABLE } from '../../sftp/connect.ts';
import { readSftpDomain } from '../../sftp/destination.ts';
import { sshKeyPair } from '../../sftp/key-pair.ts';
import type { FilePusher, PushOutcome, SftpTarget } from '../../sftp/push.ts';
import { attemptDelivery, type DeliverAnswer, type DeliveryDeps } from './attempt-delivery.ts';
import type { AttemptOutcome } from './delivery-state.ts';
import { sshKeyContext } from '../model/definition-fields.ts';
import type { Destination, ExportDefinition, ExportJob, JobRef } from '../model/items.ts';

export interface PushDeps extends DeliveryDeps {
  readonly keyService: KeyService;
  readonly files: Pick<ObjectStore, 'read' | 'head'>;
  readonly push: FilePusher;
  /** Time of one attempt, below the timeout of its function. */
  readonly attemptSeconds: number;
}

/** Time to store the outcome of an attempt, and the difference between clocks. */
const MARGIN_SECONDS = 60;

/** Pushes the file of a job. If a file is too long for one attempt, the next attempt continues. */
export const deliverFile = (deps: PushDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind: 'sftp',
    leaseSeconds: deps.attemptSeconds + MARGIN_SECONDS,
    send: (job, definition) => pushFile(deps, job, definition),
  });

const permanent = (error: string): AttemptOutcome => ({ kind: 'permanent_failure', error });

const pushFile = async (
  deps: PushDeps,
  job: ExportJob,
  definition: ExportDefinition,
): Promise<AttemptOutcome> => {
  const { file } = job;
  if (!file) return permanent('the job has no file');
  const { destination } = definition;
  if (!destination) return permanent('the export has no destination');
  if (definition.pgp_public_key !== null && !file.encrypted) return permanent('the file is not encrypted');
  const { etag, name, bytes, sha256 } = file;
  if ((await deps.files.head(file.key))?.etag !== etag) return permanent('the file is no longer kept');
  const target = await targetOf(deps, definition, destination);
  if (!target) return permanent('the domain is no server');
  const read = (from: number, to = bytes): AsyncIterable<Uint8Array> =>
    from >= to ? nothing() : deps.files.read(file.key, { etag, from, to: to - 1 });
  const until = deps.clock() + deps.attemptSeconds * 1000;
  return outcomeOf(await deps.push(target, { name, bytes, sha256, read }, until));
};

async function* nothing(): AsyncGenerator<Uint8Array, void> {
  // S3 refuses a range that begins at the end of an object.
}

const targetOf = async (
  { exports, keyService, clock }: PushDeps,
  definition: ExportDefinition,
  { domain, client_id, seed }: Destination,
): Promise<SftpTarget | undefined> => {
  // Addresses are checked at each connection, and were checked when the client named the server.
  const server = readSftpDomain(domain, 'loopback');
  if (!server.ok) return undefined;
  const { property, export: id } = definition;
  const { privateKey } = sshKeyPair(await keyService.decrypt(seed, sshKeyContext(property, id)), '');
  const pinned = await exports.hostKey(definition, domain);
  return {
    ...server.value,
    username: client_id,
    privateKey,
    pinned,
    pin: async (shown) => {
      const kept = await exports.pinHostKey(definition, domain, { ...shown, pinned: clock() });
      return kept.fingerprint === shown.fingerprint;
    },
  };
};

const outcomeOf = (outcome: PushOutcome): AttemptOutcome => {
  switch (outcome.kind) {
    case 'sent':
      return { kind: 'delivered', readBack: outcome.readBack };
    case 'paused':
      return { kind: 'paused', readBack: outcome.readBack };
    case 'refused':
      return { kind: 'failed', error: UNREACHABLE };
    case 'failed':
      return { kind: 'failed', error: outcome.reason, readBack: outcome.readBack };
  }
};
