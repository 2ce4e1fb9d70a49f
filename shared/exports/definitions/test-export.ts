/** Test export: tries the destinations of an export as a run would use them, without a run. */
import { limits } from '../../config/limits.ts';
import type { mailboxes } from '../../email/mailboxes.ts';
import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { MINUTE_MS, isoTime } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { problems } from '../../http/problem.ts';
import { err, ok } from '../../runtime/result.ts';
import type { HostKeyPin } from '../../sftp/host-key.ts';
import { type ProbeOutcome, probeStepsOf, type SftpProbe } from '../../sftp/probe.ts';
import { keys, type Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { ExportTested, SegmentChangesTested } from '../model/export-events.ts';
import type { WebhookSender } from '../../webhooks/sender.ts';
import { callWebhook } from '../../deliveries/call-webhook.ts';
import { sftpRemedy } from '../delivery/sftp-remedy.ts';
import { sftpTargetOf } from '../delivery/sftp-target.ts';
import { fixedDirectoryOf, isNameRepeated } from '../model/file-names.ts';
import { secretContext } from '../model/definition-fields.ts';
import type { Destination, ExportDefinition } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedDefinition } from '../model/named-items.ts';
import { TEST_OBJECT_PREFIX } from '../model/s3-destination.ts';
import { testBucket, type TestBucketDeps } from './test-bucket.ts';
import { capital, failed, passed, sentence, testedSteps, type TestedStep } from './tested-step.ts';
import { countInWindow } from '../../rates/count-in-window.ts';

export interface TestDeps extends TestBucketDeps {
  readonly table: Table;
  readonly exports: ExportRepository;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly probe: SftpProbe;
  readonly send: WebhookSender;
  readonly mailboxes: Pick<ReturnType<typeof mailboxes>, 'states'>;
}

/**
 * `POST exports/{export_id}/test`: puts a small file on the SFTP server, as a push does, and into the bucket, and removes
 * it; calls the receiver of changes with `segment.changes.test`, and the webhook with `export.test`; looks whether the
 * address for notices is confirmed. Each step says what failed and what to do. 404 for an unknown export; 429 after
 * `limits.exports.testsPerMinute` tests of the property in a minute.
 */
export const testExport: UseCase<TestDeps> = async (deps, request) => {
  const { property, now } = request;
  const definition = (await requestedDefinition(deps.exports, request))?.value;
  if (!definition) return err(notFound('export', request));
  const key = (minute: number): Key => keys.exportTestCount(property.id, minute);
  const test = { key, amount: 1, milliseconds: MINUTE_MS, now };
  const tooMany = (wait: number) => problems.rateLimited('too_many_tests', wait);
  const admitted = await countInWindow(deps.table, test, limits.exports.testsPerMinute, tooMany);
  if (!admitted.ok) return admitted;
  // The receiver of the webhook finds the file ready, as after a run.
  const [server, bucket] = await Promise.all([
    testServer(deps, definition),
    testBucket(deps, definition, deps.ids.hex(8)),
  ]);
  const changes = await testChanges(deps, definition);
  const webhook = await testWebhook(deps, definition);
  const email = await testEmail(deps, definition);
  const steps = [...server.steps, ...bucket, ...changes, ...webhook, ...email];
  const body = { ok: steps.every(({ result }) => result !== 'failed'), steps, host_key: server.host_key };
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
  const file = { name, directory: fixedDirectoryOf(definition), isReplaced: isNameRepeated(definition) };
  const outcome = await deps.probe(target, file);
  const steps = testedSteps(probeStepsOf(target.way), outcome.failed, (failure) => {
    const { what, line } = sftpRemedy(failure, destination);
    return `${sentence(failure.reason)} ${line === undefined ? sentence(what) : `${capital(what)}: ${line}`}`;
  });
  return {
    steps: steps.map((step) => withRemark(step, outcome, destination)),
    host_key: outcome.hostKey ?? null,
  };
};

/** A step with what the client should know of it although it did not fail. */
const withRemark = (
  step: TestedStep,
  { isTaken, left }: ProbeOutcome,
  { client_id }: Destination,
): TestedStep => {
  if (step.step === 'verify' && isTaken) return { ...step, message: takenRemark };
  if (step.step !== 'remove' || left === undefined) return step;
  const message = `The server refused ${client_id} to remove the file. A push does not need it; remove ${left} yourself.`;
  return { step: 'remove', result: 'skipped', message };
};

const takenRemark =
  'The file was gone once it was closed: the server takes files at once. A push counts such a file as delivered.';

const testWebhook = async (
  deps: TestDeps,
  { webhook_url: url, ...definition }: ExportDefinition,
): Promise<readonly TestedStep[]> => {
  const event = { type: 'export.test', ...testOf(deps, definition) } satisfies ExportTested;
  return url === null ? [] : testCall(deps, definition, { step: 'webhook', url, event });
};

/** The receiver of changes is told that nothing has changed. */
const testChanges = async (
  deps: TestDeps,
  { changes, ...definition }: ExportDefinition,
): Promise<readonly TestedStep[]> => {
  const told = { ...testOf(deps, definition), changes: [] };
  const event = { type: 'segment.changes.test', ...told } satisfies SegmentChangesTested;
  return changes === null ? [] : testCall(deps, definition, { step: 'changes', url: changes.url, event });
};

const testOf = ({ clock }: Pick<TestDeps, 'clock'>, { export: id }: Pick<ExportDefinition, 'export'>) => ({
  export_id: String(id),
  timestamp: isoTime(clock()),
});

interface TestCall {
  readonly step: 'webhook' | 'changes';
  readonly url: string;
  readonly event: ExportTested | SegmentChangesTested;
}

/** Makes a signed call that changes nothing. */
const testCall = async (
  deps: TestDeps,
  {
    property,
    export: id,
    webhook_secret: secret,
  }: Pick<ExportDefinition, 'property' | 'export' | 'webhook_secret'>,
  { step, url, event }: TestCall,
): Promise<readonly TestedStep[]> => {
  if (secret === null) return [];
  const outcome = await callWebhook(deps, {
    ...{ url, secret, context: secretContext(property, id) },
    ...{ id: `msg_export_test_${deps.ids.hex(8)}`, body: JSON.stringify(event) },
  });
  if (outcome.kind === 'delivered') return [passed(step)];
  const { httpStatus, error } = outcome;
  const reason = httpStatus === undefined ? error : `the receiver answered ${httpStatus}`;
  return [failed(step, `${sentence(reason)} It must answer a signed POST with a status from 200 to 299.`)];
};

const testEmail = async (
  { mailboxes: addresses }: TestDeps,
  { property, notification_email }: ExportDefinition,
): Promise<readonly TestedStep[]> => {
  if (notification_email === null) return [];
  const [state] = await addresses.states(property, [notification_email]);
  if (state?.status === 'confirmed') return [passed('email')];
  return [failed('email', state?.status === 'withdrawn' ? withdrawnDetail : unconfirmedDetail)];
};

const unconfirmedDetail =
  'The address is not confirmed. Its owner gets a link when the first job ends, and opens it.';
const withdrawnDetail =
  'The confirmation of the address was withdrawn. Store the export without the address, then with it: its owner then gets a link when a job ends.';
