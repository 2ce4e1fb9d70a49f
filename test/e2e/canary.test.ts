import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import type { Faults } from '../../local/core/faults.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';
import { startService, type TestService } from '../support/service.ts';
import { openSftpServer, type SftpServer } from '../support/sftp-server.ts';
import { traceFinder } from '../support/traces.ts';
import { until } from '../support/until.ts';
import { openReceiver, type Receiver } from '../support/webhook-receiver.ts';
import { tableNames } from '../support/table-names.ts';
import { segmentId } from '../support/running.ts';
import { itemsIn } from '../support/items.ts';

const CANARY = 'canary4711';
const isTold = traceFinder(CANARY);

/** Exports that run side by side. */
const EXPORTS = 3;
const made = v.looseObject({ id: v.string() });
const jobs = v.looseObject({
  jobs: v.array(
    v.looseObject({
      id: v.string(),
      status: v.string(),
      deliveries: v.array(v.looseObject({ state: v.string(), attempts: v.number() })),
    }),
  ),
});

/** The functions that see any data of an export. */
const stepOf = ({
  trigger,
}: {
  readonly trigger: { readonly kind: string; readonly workflow?: string };
}): boolean => trigger.kind === 'workflow' && /Export$/.test(trigger.workflow ?? '');
const steps = Object.entries(manifest).flatMap(([name, entry]) => (stepOf(entry) ? [name] : []));

/**
 * These functions record each attempt, and an interrupted attempt counts as in progress for minutes. This test
 * therefore never kills them.
 */
const delivers = (name: string): boolean => /^deliver/.test(name);

/**
 * Each AWS call of these functions fails at first, in each way: the service did not apply the call, or applied it and
 * the answer was lost. The test also kills each function once, at a random place.
 */
const firstFaults = (): Faults & { readonly disturbed: ReadonlyMap<string, number> } => {
  const disturbed = new Map<string, number>();
  const timesOf = (what: string): number => {
    disturbed.set(what, (disturbed.get(what) ?? 0) + 1);
    return disturbed.get(what) ?? 0;
  };
  const faults = [undefined, 'error', 'throttle', 'lost'] as const;
  return {
    ...{ seed: 0, rate: 0, disturbed, random: () => 0.5 },
    call: (caller, action) => {
      if (!steps.includes(caller)) return undefined;
      const fault = faults[timesOf(`${caller} ${action}`)];
      return fault === undefined || (fault === 'lost' && delivers(caller))
        ? undefined
        : { fault, random: 0.5 };
    },
    decide: (kind, key) =>
      kind === 'kill' &&
      steps.some((name) => key.endsWith(`-${name}`) && !delivers(name)) &&
      timesOf(`kill ${key}`) === 2,
  };
};

describe('the data of encrypted exports of the running service', () => {
  let service: TestService;
  let receiver: Receiver;
  let sftp: SftpServer;
  let folder: string;
  const faults = firstFaults();
  const outcomes: string[] = [];
  const lines: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-canary-'));
    [receiver, sftp] = await Promise.all([openReceiver(), openSftpServer()]);
    service = await startService({ faults, dataDir: join(folder, 'data'), logDir: join(folder, 'logs') });
    service.cloud.observeInvocations(({ functionName, outcome }) => {
      if (steps.some((name) => functionName.endsWith(`-${name}`))) outcomes.push(JSON.stringify(outcome));
    });
    service.cloud.logs.observe((_, text) => lines.push(text));
  }, 180_000);
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await Promise.all([receiver[Symbol.asyncDispose](), sftp[Symbol.asyncDispose]()]);
    await rm(folder, { recursive: true, force: true });
  });

  const at = (rest: string): string => `/v1/${service.property}/${rest}`;

  /** All items except the profiles. */
  const items = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const TableName of Object.values(tableNames)) {
      for await (const item of itemsIn(service.cloud, TableName))
        if (kindOfKey(item.pk.S) !== 'profile') found.push(JSON.stringify(item, bytesAsText));
    }
    return found;
  };

  /** All files of the other services, without the files of the table. */
  const filesBelow = async (root: string): Promise<readonly string[]> => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => !file.includes('/dynamodb/'));
  };

  it('no store, queue or log holds the data in clear, and only the receiver can read it, whatever fails on the way', async () => {
    const key = await newPgpKey({ date: new Date() });
    const { client, cloud } = service;
    const person = { email: `${CANARY}@example.org`, first_name: CANARY, extra_data: { [CANARY]: CANARY } };
    await client.post(at('profiles'), person, v.unknown());
    const definition = {
      segment: [await segmentId(service)],
      pgp_public_key: publicText(key),
      destination_credentials: { domain: `127.0.0.1:${sftp.port}`, client_id: 'receiver' },
      webhook_url: receiver.url,
      notification_email: service.userEmail,
    };
    sftp.mischief.cutAfter = 100;
    const ids = await Promise.all(
      Array.from({ length: EXPORTS }, async () => (await client.post(at('exports'), definition, made)).id),
    );
    await until('a cut push', () => sftp.logins() > 0 || undefined);
    delete sftp.mischief.cutAfter;
    const pushed = (): readonly string[] => [...sftp.files.keys()].filter((name) => !name.startsWith('.'));
    await until(
      'all files and calls',
      () => pushed().length === EXPORTS && receiver.calls.length >= EXPORTS,
      120_000,
    );
    const answers: string[] = [];
    for (const id of ids)
      await until(
        `the deliveries of ${id}`,
        async () => {
          const listed = await client.get(at(`exports/${id}/jobs`), jobs);
          answers.push(JSON.stringify([listed, await client.get(at(`exports/${id}`), v.unknown())]));
          const deliveries = listed.jobs.flatMap((job) => job.deliveries);
          return deliveries.length === 3 && deliveries.every(({ state }) => state === 'delivered')
            ? true
            : undefined;
        },
        120_000,
      );

    expect([...sftp.files.keys()]).toEqual(pushed());
    for (const file of sftp.files.values())
      expect((await decryptWith(key, file)).toString()).toContain(CANARY);

    // The faults disturbed each step and killed its workers.
    const disturbed = [...faults.disturbed.keys()];
    for (const name of steps.filter((step) => step !== 'failExport')) {
      expect(disturbed.some((what) => what.startsWith(`${name} `))).toBe(true);
      expect(delivers(name) || disturbed.includes(`kill tidemark-local-${name}`)).toBe(true);
    }
    const places: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
      'items of the table': await items(),
      'answers and errors of steps': outcomes,
      'histories of workflows': cloud.parts.engine.ledger.all().map((execution) => JSON.stringify(execution)),
      logs: lines,
      webhooks: receiver.calls.map((call) => JSON.stringify(call)),
      'the SFTP server': [...sftp.files.values(), [...sftp.files.keys()].join()],
      inbox: [await (await fetch(cloud.endpoints.inbox_url)).text()],
      'answers of the API': answers,
    };
    for (const [place, all] of Object.entries(places)) {
      expect([place, all.length > 0]).toEqual([place, true]);
      expect([place, all.filter(isTold)]).toEqual([place, []]);
    }
    // Objects, queues and logs, as they are stored on disk.
    const files = await filesBelow(folder);
    expect(files.filter((file) => /\/(s3|sqs|logs)\//.test(file)).length).toBeGreaterThan(10);
    for (const file of files) expect([file, isTold(await readFile(file))]).toEqual([file, false]);
  }, 240_000);
});

/** The binary values of an item as text. The table writes them in base64. */
const bytesAsText = (name: string, value: unknown): unknown =>
  name === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64').toString('latin1') : value;
