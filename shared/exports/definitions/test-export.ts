/** Test export: tries the destinations of an export as a run would use them, without a run. */
import { limits } from '../../config/limits.ts';
import type { mailboxes } from '../../email/mailboxes.ts';
import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { isoTime } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { loginRefusals } from '../../sftp/connect.ts';
import type { HostKeyPin } from '../../sftp/host-key.ts';
import { probeSteps, type ProbeStep, type SftpProbe } from '../../sftp/probe.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { ExportTested } from '../model/export-events.ts';
import type { WebhookSender } from '../../webhooks/sender.ts';
import { signedHeaders } from '../../webhooks/signature.ts';
import { webhookOutcome } from '../../deliveries/webhook-outcome.ts';
import { sftpTargetOf } from '../delivery/sftp-target.ts';
import { fixedDirectoryOf } from '../model/file-names.ts';
import { secretContext } from '../model/definition-fields.ts';
import type { Destination, ExportDefinition } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedDefinition } from '../model/requested-items.ts';
import { TEST_OBJECT_PREFIX } from '../model/s3-destination.ts';
import { testBucket, type TestBucketDeps } from './test-bucket.ts';
import { failed, passed, sentence, testedSteps, type TestedStep } from './tested-step.ts';

export interface TestDeps extends TestBucketDeps {
  readonly table: Table;
  readonly exports: ExportRepository;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly probe: SftpProbe;
  readonly send: WebhookSender;
  readonly mailboxes: Pick<ReturnType<typeof mailboxes>, 'isConfirmed'>;
}

const MINUTE_MS = 60_000;

/**
 * `POST exports/{export_id}/test`: tries the SFTP server and the bucket with a small file, which it removes; calls the
 * webhook with `export.test`; looks whether the address for notices is confirmed. Each step says what failed and what
 * to do. 404 for an unknown export; 429 after `limits.exports.testsPerMinute` tests of the property in a minute.
 */
export const testExport = async (
  deps: TestDeps,
  request: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const { property, now } = request;
  const definition = (await requestedDefinition(deps.exports, request))?.value;
  if (!definition) return err(notFound('export', request));
  const minute = Math.floor(now / MINUTE_MS);
  const ttl = (minute + 2) * (MINUTE_MS / 1000);
  const tests = await deps.table.increment(keys.exportTestCount(property.id, minute), 1, { ttl });
  if (tests > limits.exports.testsPerMinute)
    return err(problems.rateLimited('too_many_tests', ((minute + 1) * MINUTE_MS - now) / 1000));
  // The receiver of the webhook finds the file ready, as after a run.
  const [server, bucket] = await Promise.all([
    testServer(deps, definition),
    testBucket(deps, definition, deps.ids.hex(8)),
  ]);
  const webhook = await testWebhook(deps, definition);
  const email = await testEmail(deps, definition);
  const steps = [...server.steps, ...bucket, ...webhook, ...email];
  const body = { ok: steps.every(({ result }) => result === 'ok'), steps, host_key: server.host_key };
  return ok({ status: 200, body });
};

const testServer = async (
  deps: TestDeps,
  definition: ExportDefinition,
): Promise<{ readonly steps: readonly TestedStep[]; readonly host_key: HostKeyPin | null }> => {
  const { destination } = definition;
  const target = destination && (await sftpTargetOf(deps, definition, destination));
  if (!destination || !target) return { steps: [], host_key: null };
  // Nobody else knows the name, so the test replaces no file of the receiver.
  const name = `${TEST_OBJECT_PREFIX}${deps.ids.hex(8)}`;
  const outcome = await deps.probe(target, { name, directory: fixedDirectoryOf(definition) });
  return {
    steps: testedSteps(
      probeSteps,
      outcome.failed,
      ({ step, reason }) => `${sentence(reason)} ${remedyOf(step, reason, destination)}`,
    ),
    host_key: outcome.hostKey ?? null,
  };
};

/** What the client can do about a failed step. */
const remedyOf = (
  step: ProbeStep,
  reason: string,
  { domain, client_id, public_key }: Destination,
): string => {
  switch (step) {
    case 'connect':
      return `Check that ${domain} is the public address of an SSH server, and that its firewall lets this service in.`;
    case 'host_key':
      return 'Compare the fingerprint with the server, and name it with PUT host-key.';
    case 'login':
      if (reason === loginRefusals.key && public_key !== null)
        return `Add this line to ~/.ssh/authorized_keys of ${client_id} on the server: ${public_key}`;
      return `Check that the server lets ${client_id} log in in this way.`;
    case 'session':
      return `Check that the server offers SFTP to ${client_id}.`;
    case 'write':
      return `Check that ${client_id} may write to the directory of the export, and that the disk has room.`;
    case 'remove':
      return `Check that ${client_id} may remove files: a push removes an older file of the same name.`;
  }
};

const testWebhook = async (
  { keyService, clock, ids, send }: TestDeps,
  { property, export: id, webhook_url, webhook_secret }: ExportDefinition,
): Promise<readonly TestedStep[]> => {
  if (webhook_url === null || webhook_secret === null) return [];
  const secret = await keyService.decrypt(webhook_secret, secretContext(property, id));
  const now = clock();
  const event: ExportTested = { type: 'export.test', export_id: String(id), timestamp: isoTime(now) };
  const body = JSON.stringify(event);
  const headers = signedHeaders(secret, { id: `msg_export_test_${ids.hex(8)}`, now, body });
  const outcome = webhookOutcome(await send({ url: webhook_url, headers, body }));
  if (outcome.kind === 'delivered') return [passed('webhook')];
  const { httpStatus, error } = outcome;
  const reason = httpStatus === undefined ? error : `the receiver answered ${httpStatus}`;
  return [
    failed('webhook', `${sentence(reason)} It must answer a signed POST with a status from 200 to 299.`),
  ];
};

const testEmail = async (
  { mailboxes: addresses }: TestDeps,
  { property, notification_email }: ExportDefinition,
): Promise<readonly TestedStep[]> => {
  if (notification_email === null) return [];
  if (await addresses.isConfirmed(property, notification_email)) return [passed('email')];
  const detail = 'The address is not confirmed. Its owner gets a link when the first job ends, and opens it.';
  return [failed('email', detail)];
};
