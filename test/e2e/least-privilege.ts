import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResourceName } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import { finalCounts, identified } from '../support/api-client.ts';
import { operate } from '../support/operate.ts';
import { openReferenceEnricher, type ReferenceEnricher } from '../support/reference-enricher.ts';
import { startService } from '../support/service.ts';
import { openSftpServer, type SftpServer } from '../support/sftp-server.ts';
import { tableNames } from '../support/table-names.ts';
import { until } from '../support/until.ts';
import { openReceiver, type Receiver } from '../support/webhook-receiver.ts';
import { definition, enriched, exercises, type Harness } from './exercise.ts';

/**
 * The ARN of a table. A function may hold the same action on several tables; each table then has a case of its own.
 */
const tableArn = (to: ResourceName): string | undefined => {
  const found = Object.entries(tableNames).find(([name]) => name === to);
  return found && `arn:aws:dynamodb:us-east-1:000000000000:table/${found[1]}`;
};

const declared = Object.entries(manifest).flatMap(([name, { access }]) =>
  access.flatMap(({ to, actions }) => actions.map((action) => ({ name, action, to, on: tableArn(to) }))),
);

/**
 * Advice about actions that a function was refused because its entry does not declare them. S3 checks `s3:ListBucket`
 * when an object is missing, to choose between 404 and 403; functions do without it.
 */
const undeclared = (
  name: string,
  denials: readonly { readonly action: string; readonly resource: string }[],
) => {
  const own = declared.filter((each) => each.name === name);
  return denials
    .filter(({ action }) => action !== 's3:ListBucket')
    .filter(
      ({ action, resource }) =>
        !own.some(({ on = resource, ...each }) => each.action === action && on === resource),
    )
    .map(({ action, resource }) => `Add ${action} on ${resource} to \`access\` of ${name} in its entries.ts`);
};

/**
 * The tables of the wrapper of every route. They have a test file of their own, so that workers share the cases.
 */
export const onEdge: ReadonlySet<ResourceName> = new Set<ResourceName>(['credentials', 'rates', 'auditLog']);

/**
 * Functions that write people. A refused writer leaves announced work behind, which keeps later jobs and exports of the
 * property open for minutes. These functions therefore have a service and a test file of their own. The first three
 * need the end of a job and come first.
 */
export const writers = [
  'undoImport',
  'advanceBrands',
  'enrich',
  'createProfile',
  'forgetProfile',
  'replayForgettings',
  'followBirthdays',
  'importBatch',
  'drain',
  'sweep',
] as const;
const placeOf = (name: string): number => writers.findIndex((writer) => writer === name);
/** Whether a function writes people. */
export const isWriter = (name: string): boolean => placeOf(name) >= 0;

const distinct = [
  ...new Map(declared.map((each) => [`${each.name} ${each.action} ${each.on}`, each])).values(),
].toSorted((one, other) => placeOf(one.name) - placeOf(other.name));

/** What a case takes away: an action of a function on a resource. */
export interface LeastPrivilegeCase {
  readonly name: string;
  readonly to: ResourceName;
}

/**
 * Declares the tests that roles hold only the rights that their functions need: each action on these resources is
 * taken out of its function's role in turn, and a call must then be refused in the name of that action.
 */
export const eachActionIsNeeded = (isAsked: (asked: LeastPrivilegeCase) => boolean): void => {
  let harness: Harness;
  let receiver: Receiver;
  let sftp: SftpServer;
  let enricher: ReferenceEnricher;

  beforeAll(async () => {
    receiver = await openReceiver();
    sftp = await openSftpServer();
    enricher = await openReferenceEnricher(enriched);
    harness = await openHarness(receiver.url, sftp, enricher);
  }, 120_000);
  afterAll(async () => {
    await harness.service[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
    await sftp[Symbol.asyncDispose]();
    await enricher[Symbol.asyncDispose]();
  });

  it.each(distinct.filter(isAsked))(
    '$name needs $action on $to',
    async ({ name, action, on }) => {
      const { gateway, parts } = harness.service.cloud;
      parts.runner.recycle(`tidemark-local-${name}`);
      const restore = gateway.withoutAction(name, action, on);
      gateway.denials.clear();
      try {
        const denial = await refusal(harness, name, action, () => {
          const denials = gateway.denials.list().filter(({ caller }) => caller === name);
          expect(undeclared(name, denials)).toEqual([]);
          return denials.find((each) => each.action === action && (on === undefined || each.resource === on));
        });
        expect(denial.message).toContain(`is not authorized to perform: ${action} `);
      } finally {
        restore();
        endImports(harness);
      }
    },
    90_000,
  );
};

/** How often an exercise runs, and how long a run may wait for the refusal before the next run begins. */
const RUNS = { most: 3, waitMs: 10_000 };

/**
 * Runs the exercise of a function until `find` finds the refusal. One run may not be enough: another function, such as the
 * drain of an earlier case, may do the work of the exercise first.
 */
const refusal = async <Refusal extends object>(
  harness: Harness,
  name: string,
  action: string,
  find: () => Refusal | undefined,
): Promise<Refusal> => {
  for (let run = 1; ; run += 1) {
    await exercises[name]?.(harness);
    const again = run < RUNS.most ? Date.now() + RUNS.waitMs : Infinity;
    const found = await until(
      `${name} being refused ${action}: make its exercise in test/e2e/exercise*.ts use it, or take it out of its entry`,
      () => find() ?? (Date.now() > again ? 'again' : undefined),
      30_000,
    );
    if (found !== 'again') return found;
  }
};

/**
 * Ends the imports that a case leaves in progress. They would slow all later cases: a file whose end waits for the
 * announced work of a refused writer polls for minutes. Exports end by themselves, and the next export of a
 * definition waits for the end.
 */
const endImports = ({ service }: Harness): void => {
  const { engine } = service.cloud.parts;
  for (const { arn, machineArn, status } of engine.ledger.all())
    if (status === 'RUNNING' && /-(importFile|undoJob)$/.test(machineArn))
      engine.abort(arn, undefined, 'The case that started it is over');
};

const openHarness = async (
  webhook: string,
  sftp: SftpServer,
  enricher: ReferenceEnricher,
): Promise<Harness> => {
  const service = await startService();
  const { client, property, cloud } = service;
  const asked = { url: enricher.url, asks: 'social_token', tiers: ['social_network'] };
  const set = await operate(service, { command: 'enricher.set', property, name: 'network', ...asked });
  enricher.useSecret(v.parse(v.looseObject({ secret: v.string() }), set).secret);
  let last = 0;
  const { id: importId } = await client.post(
    `/v1/${property}/imports`,
    // A worker reads the results of earlier batches for this guard.
    { ...definition('Exercised'), max_refused_share: 1 },
    identified,
  );
  const jobs = `/v1/${property}/imports/${importId}/jobs`;
  const { id: jobId } = await client.post(jobs, { name: 'batches' }, identified);
  // A reader fetches this many neighbours by block, not one by one.
  const neighbours = Array.from({ length: 100 }, (_, index) => `n${index}@example.org`);
  const emails = ['known@example.org', 'second@example.org', 'wrong', 'wrong too', ...neighbours];
  // Only one member of a family keeps a shared address: two rows get warnings, which make two pages.
  const family = ['u1', 'u2', 'u3'].map((unique_id) => ({ unique_id, email: 'family@example.org' }));
  const records = [...emails.map((email) => ({ email })), ...family];
  await client.post(
    `/v1/${property}/import-data`,
    { name: 'b', import_job: jobId, skip_appends: false, records },
    v.unknown(),
  );
  await finalCounts(client, `${jobs}/${jobId}`);
  const { id: dryRunId } = await client.post(jobs, { name: 'dry run', dry_run: true }, identified);
  await client.post(
    `/v1/${property}/import-data`,
    { name: 'b', import_job: dryRunId, skip_appends: false, records },
    v.unknown(),
  );
  await finalCounts(client, `${jobs}/${dryRunId}`);
  const [everyone] = await client.get(`/v1/${property}/segments?name=everyone`, v.array(identified));
  const segment = everyone?.id ?? 0;
  const { id: exportId } = await client.post(
    `/v1/${property}/exports`,
    { segment: [segment], notification_email: 'receiver@example.org' },
    v.looseObject({ id: v.string() }),
  );
  const { id: deltaId } = await client.post(
    `/v1/${property}/exports`,
    { segment: [segment], scope: 'delta' },
    v.looseObject({ id: v.string() }),
  );
  const complete = (id: string) =>
    until('the first job of an export', async () => {
      const listed = await client.get(
        `/v1/${property}/exports/${id}/jobs`,
        v.looseObject({ jobs: v.array(v.looseObject({ id: v.string(), status: v.string() })) }),
      );
      return listed.jobs.find(({ status }) => status === 'complete');
    });
  const job = await complete(exportId);
  await complete(deltaId);
  const read = await client.get(
    `/v1/${property}/exports/${exportId}/jobs/${job.id}`,
    v.looseObject({ location: v.string() }),
  );
  const account = v.parse(
    v.object({ client_id: v.string(), username: v.string(), password: v.string() }),
    cloud.endpoints,
  );
  return {
    service,
    importId,
    jobId,
    dryRunId,
    segment,
    exportId,
    exportJob: job.id,
    deltaId,
    location: read.location,
    webhook,
    sftp: `127.0.0.1:${sftp.port}`,
    account,
    fresh: () => (last += 1),
  };
};
