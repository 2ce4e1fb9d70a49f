import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import { UNREACHABLE } from '../../sftp/connect.ts';
import { readSftpDomain } from '../../sftp/destination.ts';
import { sshKeyPair } from '../../sftp/key-pair.ts';
import type { FilePusher, PushOutcome, SftpTarget } from '../../sftp/push.ts';
import { attemptDelivery, type DeliverAnswer, type DeliveryDeps } from './deliveries.ts';
import type { AttemptOutcome } from './delivery-log.ts';
import {
  sshKeyContext,
  type Destination,
  type ExportDefinition,
  type ExportJob,
  type JobRef,
} from '../model/items.ts';

/** What pushing a file needs. */
export interface PushDeps extends DeliveryDeps {
  readonly keyService: KeyService;
  readonly files: Pick<ObjectStore, 'read' | 'head'>;
  readonly push: FilePusher;
  /** Time that one attempt has: less than its function. */
  readonly attemptSeconds: number;
}

/** Noting what came of an attempt, and clocks that differ. */
const MARGIN_SECONDS = 60;

/** Puts the file of a job on the definition's SFTP server. A file too long for one attempt is continued by the next. */
export const deliverFile = (deps: PushDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind: 'sftp',
    leaseSeconds: deps.attemptSeconds + MARGIN_SECONDS,
    send: (job, definition) => pushFile(deps, job, definition),
  });

const hopeless = (error: string): AttemptOutcome => ({ kind: 'hopeless', error });

const pushFile = async (
  deps: PushDeps,
  job: ExportJob,
  definition: ExportDefinition,
): Promise<AttemptOutcome> => {
  const { file } = job;
  if (!file) return hopeless('the job has no file');
  const { destination } = definition;
  if (!destination) return hopeless('the export has no destination');
  if (definition.pgp_public_key !== null && !file.encrypted) return hopeless('the file is not encrypted');
  const { etag, name, bytes, sha256 } = file;
  if ((await deps.files.head(file.key))?.etag !== etag) return hopeless('the file is no longer kept');
  const target = await targetOf(deps, definition, destination);
  if (!target) return hopeless('the domain is no server');
  const read = (from: number, to = bytes): AsyncIterable<Uint8Array> =>
    from >= to ? nothing() : deps.files.read(file.key, { etag, from, to: to - 1 });
  const until = deps.clock() + deps.attemptSeconds * 1000;
  return outcomeOf(await deps.push(target, { name, bytes, sha256, read }, until));
};

async function* nothing(): AsyncGenerator<Uint8Array, void> {
  // A range that begins at the end of an object is an error to S3.
}

const targetOf = async (
  { exports, keyService, clock }: PushDeps,
  definition: ExportDefinition,
  { domain, client_id, seed }: Destination,
): Promise<SftpTarget | undefined> => {
  // Its address was checked when it was given, and is again at each connection.
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
