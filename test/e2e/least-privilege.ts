import * as v from 'valibot';
import type { ResourceName } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import type { Denial } from '../../local/core/types.ts';
import { finalCounts, identified } from '../support/api-client.ts';
import { unplacedIn } from '../places/unplaced.ts';
import { operate } from '../support/operate.ts';
import { openReferenceEnricher, type ReferenceEnricher } from '../support/reference-enricher.ts';
import { startService, type TestService } from '../support/service.ts';
import { openSftpServer, type SftpServer } from '../support/sftp-server.ts';
import { keys } from '../../shared/table/keys.ts';
import { isFull } from '../support/scale.ts';
import { tableNames } from '../support/table-names.ts';
import { until } from '../support/until.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { definition, enriched, exercises, type Harness } from './exercise.ts';
import { putItem } from './exercise-scene.ts';

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

/** Functions whose exercises wait for the end of jobs come first: later exercises hold the ends of jobs up. */
const first = ['undoImport', 'advanceBrands'];
/**
 * Functions whose exercises make a writer of people fail come last. The work that the writer announced keeps later jobs
 * and exports of the property open for minutes.
 */
const last = [
  'enrich',
  'importBatch',
  'createProfile',
  'forgetProfile',
  'replayForgettings',
  'followBirthdays',
  'drain',
  'sweep',
];
/** The functions whose cases have a place of their own. */
export const placed: readonly string[] = [...first, ...last];
const placeOf = (name: string): number => {
  if (first.includes(name)) return first.indexOf(name) - first.length;
  return 1 + last.indexOf(name);
};

/** An action of a function on a resource. A case waits for its use, or takes it away. */
interface LeastPrivilegeCase {
  readonly name: string;
  readonly action: string;
  readonly to: ResourceName;
  /** The resource, where a function holds the action on several tables. */
  readonly on: string | undefined;
}

const keyOf = (name: string, action: string, resource: string | undefined): string =>
  `${name} ${action} ${resource}`;

const isRoute = ({ name }: LeastPrivilegeCase): boolean => manifest[name]?.trigger.kind === 'http';

/** Each action of each function, once. */
export const declaredActions: readonly LeastPrivilegeCase[] = [
  ...new Map(declared.map((each) => [keyOf(each.name, each.action, each.on), each])).values(),
].toSorted((one, other) => placeOf(one.name) - placeOf(other.name));

/** One action of each AWS service: of a route, where a route calls the service. */
export const oneActionOfEachService: readonly LeastPrivilegeCase[] = [
  ...new Map(
    declaredActions
      .filter(({ name }) => placeOf(name) === 0)
      .toSorted((one, other) => Number(isRoute(one)) - Number(isRoute(other)))
      .map((each) => [each.action.split(':')[0], each]),
  ).values(),
];

/** A running service whose functions can be exercised, and the rights that they used. */
export interface Exercised extends AsyncDisposable {
  /**
   * Exercises the function of a case until it uses the action. One run may not be enough: another function, such as a
   * drain, may do the work of the exercise first. Fails when the action is not used.
   */
  use(asked: LeastPrivilegeCase): Promise<void>;
  /** Exercises the function of a case without the action, until the call is refused. Returns the refusal. */
  refusal(asked: LeastPrivilegeCase): Promise<Denial>;
  /** Keys of items, by table, and of objects that the list of places does not have. */
  unplaced(): Promise<readonly string[]>;
  /** Advice about actions that functions were refused because no entry declares them. */
  undeclared(): readonly string[];
}

/** How often an exercise runs, and how long a run may wait for the call before the next run begins. */
const RUNS = { most: 3, waitMs: 10_000 };

/** Starts a service, and watches which rights its functions use. */
export const openExercised = async (): Promise<Exercised> => {
  await using parts = new AsyncDisposableStack();
  const receiver = parts.use(await openReceiver());
  const sftp = parts.use(await openSftpServer());
  const enricher = parts.use(await openReferenceEnricher(enriched));
  const service = parts.use(await startService());
  const { gateway, parts: cloud } = service.cloud;
  const used = new Set<string>();
  parts.defer(
    gateway.observeUses(({ caller, action, resource }) => {
      used.add(keyOf(caller, action, undefined)).add(keyOf(caller, action, resource));
    }),
  );
  const harness = await openHarness(service, receiver.url, sftp, enricher);
  const begun = new Set<string>();
  const runUntil = async <Fact>(name: string, what: string, find: () => Fact | undefined): Promise<Fact> => {
    for (let run = 1; ; run += 1) {
      // A used environment remembers values, and would not read them again.
      if (!begun.has(name)) cloud.runner.recycle(`tidemark-local-${name}`);
      begun.add(name);
      await exercises[name]?.(harness);
      const again = run < RUNS.most ? Date.now() + RUNS.waitMs : Infinity;
      const found = await until(what, () => find() ?? (Date.now() > again ? 'again' : undefined), 30_000);
      if (found !== 'again') return found;
    }
  };
  const advice =
    'make its exercise in test/e2e/exercise*.ts use the action, or take the action out of its entry';
  const owned = parts.move();
  return {
    use: async ({ name, action, on }) => {
      const isUsed = (): true | undefined => used.has(keyOf(name, action, on)) || undefined;
      // In the sample, the work of any exercise counts, so that most functions need no run of their own.
      if ((begun.has(name) || !isFull) && isUsed()) return;
      await runUntil(name, `${name} using ${action}: ${advice}`, isUsed);
    },
    refusal: async ({ name, action, on }) => {
      const restore = gateway.withoutAction(name, action, on);
      begun.delete(name);
      const before = gateway.denials.list().length;
      try {
        return await runUntil(name, `${name} being refused ${action}: ${advice}`, () =>
          gateway.denials
            .list()
            .slice(before)
            .find(
              (each) =>
                each.caller === name && each.action === action && (on === undefined || each.resource === on),
            ),
        );
      } finally {
        restore();
      }
    },
    unplaced: () => unplacedIn(service),
    undeclared: () => undeclared(gateway.denials.list()),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

/**
 * Advice about actions that functions were refused because their entries do not declare the actions. S3 checks
 * `s3:ListBucket` when an object is missing, to choose between 404 and 403; functions do without it.
 */
const undeclared = (denials: readonly Denial[]): readonly string[] => {
  const known = new Set(declared.map(({ name, action, on }) => keyOf(name, action, on)));
  return denials
    .filter(({ caller, action }) => manifest[caller] !== undefined && action !== 's3:ListBucket')
    .filter(
      ({ caller, action, resource }) =>
        !known.has(keyOf(caller, action, undefined)) && !known.has(keyOf(caller, action, resource)),
    )
    .map(
      ({ caller, action, resource }) =>
        `Add ${action} on ${resource} to \`access\` of ${caller} in its entries.ts`,
    );
};

/** An ordinal that no property gives out in these tests. */
const NOBODY = 4_000_000;

const openHarness = async (
  service: TestService,
  webhook: string,
  sftp: SftpServer,
  enricher: ReferenceEnricher,
): Promise<Harness> => {
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
  // Somebody who is in no file is forgotten all the time, so that each file is searched for forgotten people.
  const later = Date.now() + 3_600_000;
  const nobody = { ordinals: [NOBODY], until: later };
  await putItem({ service }, keys.forgottenPeople(property, later, NOBODY), nobody);
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
