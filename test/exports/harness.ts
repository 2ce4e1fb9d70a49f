import { randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { deriveKeys } from '../../shared/properties/property-keys.ts';
import { noRules, rulesOf, type PropertyRules } from '../../shared/properties/rules.ts';
import type { PrivateTargets } from '../../shared/webhooks/addresses.ts';
import { collectionRepository } from '../../shared/collections/repository.ts';
import { assembleExport } from '../../shared/exports/file/assemble-export.ts';
import { cancelExportJob, failExport } from '../../shared/exports/runs/end-job.ts';
import { createExport } from '../../shared/exports/definitions/create-export.ts';
import { deleteExport } from '../../shared/exports/definitions/delete-export.ts';
import type { Mail, Mailer } from '../../shared/email/mailer.ts';
import type { DeliverAnswer } from '../../shared/deliveries/make-attempt.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { deliverChanges } from '../../shared/exports/delivery/deliver-changes.ts';
import { deliverEmail } from '../../shared/exports/delivery/deliver-email.ts';
import { deliverFile } from '../../shared/exports/delivery/deliver-file.ts';
import { deliverWebhook } from '../../shared/exports/delivery/deliver-webhook.ts';
import { fileStore } from '../../shared/exports/file/outgoing-file.ts';
import { download } from '../../shared/exports/delivery/download.ts';
import { getHostKey, replaceHostKey } from '../../shared/exports/definitions/host-keys.ts';
import type { JobRef } from '../../shared/exports/model/items.ts';
import { getDelivery, listDeliveries } from '../../shared/exports/delivery/read-deliveries.ts';
import { replayDelivery } from '../../shared/exports/delivery/replay-delivery.ts';
import { startDeliveries } from '../../shared/exports/delivery/start-deliveries.ts';
import { forgottenMembers } from '../../shared/exports/parts/forgotten-members.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { planExport } from '../../shared/exports/runs/plan-export.ts';
import { exportBody, newExportBody } from '../../shared/exports/model/schemas.ts';
import type { StatusListQuery } from '../../shared/http/list-schemas.ts';
import {
  getExport,
  getExportJob,
  listExportJobs,
  listExports,
} from '../../shared/exports/definitions/read-exports.ts';
import { exportTasks } from '../../shared/exports/runs/reconcile-exports.ts';
import { replaceExport } from '../../shared/exports/definitions/replace-export.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { createExportJob } from '../../shared/exports/runs/create-export-job.ts';
import { runScheduledExport } from '../../shared/exports/runs/schedule-runs.ts';
import type { FilePusher } from '../../shared/sftp/push.ts';
import type { WebhookCall, WebhookSender } from '../../shared/webhooks/sender.ts';
import { withdrawLocation } from '../../shared/exports/delivery/withdraw-location.ts';
import { writePart } from '../../shared/exports/parts/write-part.ts';
import type { ApiAnswer, ApiRequest } from '../../shared/http/api-types.ts';
import { problems, type Problem } from '../../shared/http/problem.ts';
import { check } from '../../shared/http/schema-faults.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { logTo } from '../../shared/runtime/log.ts';
import type { KeyService, Workflow } from '../../shared/runtime/ports.ts';
import { err, type Result } from '../../shared/runtime/result.ts';
import { bitsOf } from '../../shared/membership/chunk.ts';
import type { MemberChunk } from '../../shared/membership/read-members.ts';
import { isIn } from '../../shared/catalogue/definition.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { ORDINALS_PER_CHUNK } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryParts } from '../support/memory-parts.ts';
import { fakeCatalogue, type FakeSegments } from './fake-catalogue.ts';
import { lookAtDue } from '../support/look-at-tasks.ts';
import { memoryKeys } from '../support/memory-keys.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { memorySchedules } from '../support/memory-schedules.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { stepsOf } from '../support/profile-reads.ts';
import { publicRequestOf, requestOf } from '../support/requests.ts';

export { profile } from './profile.ts';

export const PROPERTY = 7;
const BASE_URL = 'https://api.example.test';

/** Id of the `n`-th segment of the property. */
export const segment = (n: number): number => scopedId(PROPERTY, n);

/** Ordinals as chunks, ascending. */
export const chunksOf = (ordinals: Iterable<number>): readonly MemberChunk[] => {
  const chunks = Map.groupBy(ordinals, (ordinal) => Math.floor(ordinal / ORDINALS_PER_CHUNK));
  return [...chunks]
    .sort(([a], [b]) => a - b)
    .map(([chunk, members]) => ({
      base: chunk * ORDINALS_PER_CHUNK,
      bits: bitsOf(members.map((ordinal) => ordinal % ORDINALS_PER_CHUNK)),
    }));
};

const scheduleMessage = v.object({
  property: v.number(),
  export: v.number(),
  revision: v.number(),
  time: v.string(),
  catches_up: v.optional(v.boolean(), false),
});

interface Fakes extends FakeSegments {
  now: number;
  /** When the newest undo of an import had ended. */
  undone: number;
  /** The random number, from 0 to 1. */
  random: number;
  /** The name of the account of the property; `undefined` once it is gone. */
  accountName: string | undefined;
  readonly profiles: Map<number, ResolvedProfile>;
  rules: PropertyRules;
  send: WebhookSender;
  mail: Mailer;
  push: FilePusher;
  privateTargets: PrivateTargets;
}

/** Called before each operation of the ports that a test may interrupt. */
export type Before = (operation: string) => void;

/** What a test may choose of a harness. */
export interface HarnessOptions {
  readonly before?: Before;
  readonly send?: WebhookSender;
  readonly jobsAtOnce?: number;
  readonly files?: MemoryObjects;
}

/** The exports area on ports in memory. `fakes.members` and `fakes.profiles` stand for the segments and the profiles. */
export const exportsHarness = (options: HarnessOptions = {}) => {
  const before: Before = options.before ?? (() => undefined);
  const table = new MemoryTable((operation) => before(`table ${operation}`));
  const work = new MemoryObjects((operation) => before(`work ${operation}`));
  const files = options.files ?? new MemoryObjects((operation) => before(`files ${operation}`));
  const fileParts = new MemoryParts(files);
  const started: { name: string; input: unknown }[] = [];
  const workflow: Workflow = {
    start: (name, input) => {
      before('workflow start');
      if (started.every((known) => known.name !== name)) started.push({ name, input });
      return Promise.resolve();
    },
  };
  const schedules = memorySchedules((operation) => before(`schedules ${operation}`));
  const runs = new MemoryQueue(() => before('runs send'));
  const fakes: Fakes = {
    now: Date.parse('2026-06-01T00:00:00Z'),
    ...{ undone: 0, random: 0 },
    accountName: 'Harbour <Hall>',
    members: new Map(),
    profiles: new Map(),
    rules: rulesOf(noRules),
    named: new Map(),
    send: options.send ?? (() => Promise.resolve({ kind: 'refused' })),
    mail: () => Promise.resolve({ kind: 'sent' }),
    push: () => Promise.resolve({ kind: 'refused' }),
    privateTargets: 'loopback',
  };
  const mails: Mail[] = [];
  const sent: WebhookCall[] = [];
  const send: WebhookSender = (call) => {
    before('webhook');
    sent.push(call);
    return fakes.send(call);
  };
  const keys = deriveKeys(randomBytes(32));
  const clock = () => fakes.now;
  const auditLog = new MemoryTable((operation) => before(`audit log ${operation}`));
  const audit = auditTrail({ entries: auditLog, log: logTo(() => undefined), clock });
  const deps = {
    table,
    work,
    files,
    workflow,
    schedules,
    runs,
    exports: exportRepository(table),
    hasForgotten: forgottenMembers(forgottenPeople(table), files),
    forgotten: forgottenPeople(table),
    jobsAtOnce: options.jobsAtOnce ?? 8,
    keyService: watched(memoryKeys(), before),
    ids: systemIds,
    clock,
    audit,
    rates: new MemoryTable((operation) => before(`rates ${operation}`)),
    random: () => fakes.random,
    scopeOf: (property: number) => Promise.resolve({ id: property, keys, rules: fakes.rules }),
    baseUrl: BASE_URL,
    send,
    ...{ deliveries: workflow, mailboxes: mailboxes(table) },
    consoleUrl: `${BASE_URL}/console`,
    accountNameOf: () => Promise.resolve(fakes.accountName),
    ownerOf: () => Promise.resolve(fakes.accountName === undefined ? undefined : 1),
    mail: (mail: Mail) => {
      before('mail');
      mails.push(mail);
      return fakes.mail(mail);
    },
    push: ((target, file, until) => {
      before('push');
      return fakes.push(target, file, until);
    }) satisfies FilePusher,
    accountArn: 'arn:aws:iam::000000000000:root',
    pause: () => Promise.resolve(),
    catalogue: fakeCatalogue(fakes),
    lastUndo: () => Promise.resolve(fakes.undone),
    collections: collectionRepository(table),
    async *members(_: number, target: SegmentExpression) {
      before('members');
      await Promise.resolve();
      const ordinals = new Set([...fakes.members.values()].flat());
      const sets = new Map([...fakes.members].map(([id, all]) => [id, new Set(all)]));
      const isMember = (ordinal: number) => isIn(target, (id) => sets.get(id)?.has(ordinal) === true);
      yield* chunksOf([...ordinals].filter(isMember));
    },
    readProfiles: (property: number, ordinals: Iterable<number>) => {
      before('profiles');
      return stepsOf((ordinal) => fakes.profiles.get(ordinal))(property, ordinals);
    },
  };
  const stage = () => ({
    baseUrl: BASE_URL,
    privateTargets: fakes.privateTargets,
    sender: 'exports@example.test',
  });
  return {
    ...deps,
    fileParts,
    keys,
    fakes,
    auditLog,
    started,
    /** All calls of the webhook. */
    sent,
    mails,
    /** `POST exports` with a body as sent; a body that breaks the schema gives its faults. */
    create: (body: unknown) => {
      const checked = check(newExportBody, body);
      if (!checked.ok) return Promise.resolve(err(problems.invalid(checked.faults)));
      return createExport({ ...deps, stage: stage() }, request(fakes.now, {}, checked.value));
    },
    /** `PUT exports/{export_id}` with a body as sent. */
    replace: (path: Record<string, string>, body: unknown) => {
      const checked = check(exportBody, body);
      if (!checked.ok) return Promise.resolve(err(problems.invalid(checked.faults)));
      return replaceExport({ ...deps, stage: stage() }, request(fakes.now, {}, checked.value, path));
    },
    remove: (path: Record<string, string>) => deleteExport(deps, request(fakes.now, {}, undefined, path)),
    /** `POST exports/{export_id}/jobs`, each time a request of its own unless a request key is given. */
    runAgain: (path: Record<string, string>, requestKey: string = randomUUID()) =>
      createExportJob(deps, {
        ...request(fakes.now, {}, undefined, path),
        requestKey,
        keyed: true,
      }),
    cancel: (path: Record<string, string>) => cancelExportJob(deps, request(fakes.now, {}, undefined, path)),
    withdraw: (path: Record<string, string>) =>
      withdrawLocation(deps, request(fakes.now, {}, undefined, path)),
    /** Delivers a message of EventBridge Scheduler. */
    deliverScheduleMessage: (message: unknown) => runScheduledExport(deps, v.parse(scheduleMessage, message)),
    /** Looks at the tasks that are due. */
    repair: async () => {
      const ended = await lookAtDue(deps, exportTasks(deps));
      for (const message of runs.takeBodies())
        await runScheduledExport(deps, v.parse(scheduleMessage, message));
      return ended;
    },
    read: (path: Record<string, string>) => getExport(deps, request(fakes.now, {}, undefined, path)),
    readJob: (path: Record<string, string>) => getExportJob(deps, request(fakes.now, {}, undefined, path)),
    list: (query: StatusListQuery = {}) => listExports(deps, request(fakes.now, query, undefined)),
    listJobs: (path: Record<string, string>, query: StatusListQuery = {}) =>
      listExportJobs(deps, request(fakes.now, query, undefined, path)),
    open: (path: Record<string, string>) => download(deps, publicRequestOf({ now: fakes.now, path })),
    plan: (ref: JobRef) => planExport(deps, ref),
    part: (ref: JobRef, shard: number) => writePart(deps, ref, shard),
    assemble: (ref: JobRef) =>
      assembleExport({ ...deps, files: fileStore({ objects: files, parts: fileParts }) }, ref),
    deliver: (ref: JobRef): Promise<DeliverAnswer> => deliverWebhook(deps, ref),
    pushFile: (ref: JobRef): Promise<DeliverAnswer> => deliverFile({ ...deps, attemptSeconds: 780 }, ref),
    tellChanges: (ref: JobRef): Promise<DeliverAnswer> =>
      deliverChanges({ ...deps, attemptSeconds: 780 }, ref),
    sendEmail: (ref: JobRef): Promise<DeliverAnswer> => deliverEmail(deps, ref),
    startDeliveries: (ref: JobRef) => startDeliveries(deps, ref),
    listDeliveries: (path: Record<string, string>) =>
      listDeliveries(deps, request(fakes.now, {}, undefined, path)),
    readDelivery: (path: Record<string, string>) =>
      getDelivery(deps, request(fakes.now, {}, undefined, path)),
    readHostKey: (path: Record<string, string>) => getHostKey(deps, request(fakes.now, {}, undefined, path)),
    nameHostKey: (path: Record<string, string>, fingerprint: string) =>
      replaceHostKey(deps, request(fakes.now, {}, { fingerprint }, path)),
    /** `POST …/replay`, each time a request of its own unless a request key is given. */
    replay: (path: Record<string, string>, requestKey?: string) =>
      replayDelivery(deps, {
        ...request(fakes.now, {}, undefined, path),
        ...(requestKey !== undefined && { requestKey, keyed: true }),
      }),
    fail: (ref: JobRef, error: string) => failExport(deps, ref, error),
  };
};

export type ExportsHarness = ReturnType<typeof exportsHarness>;

const watched = (inner: KeyService, before: Before): KeyService => ({
  generateDataKey: (context) => {
    before('kms generate');
    return inner.generateDataKey(context);
  },
  encrypt: (plain, context) => {
    before('kms encrypt');
    return inner.encrypt(plain, context);
  },
  decrypt: (wrapped, context) => {
    before('kms decrypt');
    return inner.decrypt(wrapped, context);
  },
});

/** A request of a user of the property. */
export const request = <Query, Body>(
  now: number,
  query: Query,
  body: Body,
  path: Record<string, string> = {},
): ApiRequest<Query, Body> =>
  requestOf({
    ...{ property: PROPERTY, now, query, body, path },
    requestKey: '4d7a8e2c-5a57-4a0e-9a52-3f6f0f7a9c11',
  });

/** The body of an answer that must be a success. */
export const bodyOf = (result: Result<ApiAnswer, Partial<Problem>>): Record<string, unknown> => {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return v.parse(v.record(v.string(), v.unknown()), result.value.body);
};
