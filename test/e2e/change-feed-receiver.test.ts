/** The programs of `docs/change-feed-receiver.md`, run as they stand by a user who has installed the client. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { hasPython, installPackage } from '../support/package-user.ts';
import { programsIn } from '../support/page-programs.ts';
import { programStarter } from '../support/running-programs.ts';
import { completeJobs, segmentId } from '../support/running.ts';
import { startService, type TestService } from '../support/service.ts';
import { root } from '../support/source-copy.ts';
import { faultsIn, programOf } from '../support/type-check.ts';
import { until } from '../support/until.ts';

const programs = programsIn(readFileSync(join(root, 'docs/change-feed-receiver.md'), 'utf8'));
const SECRET = `whsec_${Buffer.from('a secret of 24 bytes ...').toString('base64')}`;

const newFolder = newFolders();
const folder = newFolder();
let service: TestService;
const startProgram = programStarter();

beforeAll(async () => {
  await installPackage(newFolder(), folder);
  service = await startService();
}, 120_000);

afterAll(() => service[Symbol.asyncDispose]());

/** Starts a receiver with a database of its own. */
const start = async (name: string, secret: string, port: number) => {
  const own = join(folder, `${name}-${port}`);
  mkdirSync(own);
  writeFileSync(join(own, name), programs.get(name) ?? '');
  const env = { PATH: process.env['PATH'], TIDEMARK_WEBHOOK_SECRET: secret, PORT: String(port) };
  await startProgram(name, own, { ...env, PYTHONPATH: join(root, 'client/python') }).says('Listening');
  return {
    /** What the receiver knows: each person by UUID. */
    people: (): ReadonlyMap<string, unknown> => {
      using database = new DatabaseSync(join(own, 'people.db'), { readOnly: true, timeout: 5000 });
      const rows = v.parse(
        v.array(v.object({ uuid: v.string(), profile: v.string() })),
        database.prepare('SELECT uuid, profile FROM people').all(),
      );
      return new Map(rows.map(({ uuid, profile }) => [uuid, JSON.parse(profile)]));
    },
    /** Sends a call as the service does, and returns the status. */
    call: async (id: string, body: object, by = secret): Promise<number> => {
      const text = JSON.stringify(body);
      const now = new Date();
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(by).sign(id, now, text),
      };
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text })).status;
    },
  };
};

const uuid = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
type Kind = 'added' | 'changed' | 'removed';
const call = (job: number, part: number, from: number | null, ...changes: readonly [Kind, number][]) => ({
  type: 'segment.changes',
  export_id: '1',
  job_id: String(job),
  part,
  last: false,
  delta_from: from === null ? null : String(from),
  watermark: '2026-11-30T12:00:00Z',
  changes: changes.map(([change, n]) => ({ change, profile: { profile_uuid: uuid(n), job } })),
});

it('the receiver in TypeScript compiles', () => {
  const files = new Map([['test/e2e/feed.mts', programs.get('feed.mts') ?? '']]);
  const paths = { 'tidemark/webhooks': [join(root, 'client/src/webhooks.ts')] };
  expect(faultsIn(programOf(files, { paths }), files.keys())).toEqual([]);
});

describe.each(hasPython() ? ['feed.mts', 'feed.py'] : ['feed.mts'])('the receiver %s', (name) => {
  it('verifies, applies each call once, and discards its state at the first part that builds on nothing', async () => {
    const { call: send, people } = await start(name, SECRET, await freePort());
    const uuids = () => [...people().keys()].toSorted();
    const other = `whsec_${Buffer.from('another secret of yours').toString('base64')}`;
    expect(await send('m1', call(1, 1, null, ['added', 1]), other)).toBe(400);
    expect(await send('test', { type: 'segment.changes.test', export_id: '1', changes: [] })).toBe(204);
    expect(uuids()).toEqual([]);
    expect(await send('m1', call(1, 1, null, ['added', 1], ['added', 2]))).toBe(204);
    expect(await send('m2', call(1, 2, null, ['added', 3]))).toBe(204);
    // An attempt that arrives late: it would discard what the second part told.
    expect(await send('m1', call(1, 1, null, ['added', 1], ['added', 2]))).toBe(204);
    expect(uuids()).toEqual([uuid(1), uuid(2), uuid(3)]);
    await send('m3', call(2, 1, 1, ['removed', 1], ['removed', 9], ['changed', 2], ['added', 4]));
    expect(uuids()).toEqual([uuid(2), uuid(3), uuid(4)]);
    expect(people().get(uuid(2))).toEqual({ profile_uuid: uuid(2), job: 2 });
    await send('m4', call(3, 1, null));
    expect(uuids()).toEqual([]);
  });

  it('applies no part of a call that it cannot apply whole, and takes it later', async () => {
    const { call: send, people } = await start(name, SECRET, await freePort());
    await send('m1', call(1, 1, null, ['added', 1]));
    const broken = { ...call(2, 1, null, ['added', 2]), changes: [{ change: 'added', profile: {} }] };
    await send('m2', broken).catch(() => 0);
    expect([...people().keys()]).toEqual([uuid(1)]);
    expect(await send('m2', call(2, 1, null, ['added', 2]))).toBe(204);
    expect([...people().keys()]).toEqual([uuid(2)]);
  });

  it('ends with the members as the API answers them', async () => {
    const { client, property } = service;
    const at = (rest: string): string => `/v1/${property}/${rest}`;
    const tag = name;
    const tags = [{ datetime: '2026-01-02 03:04:05', tag: [tag] }];
    const put = (record: object) => client.post(at('profiles'), record, v.unknown());
    const person = v.looseObject({ profile_uuid: v.string(), email: v.nullable(v.string()) });
    const members = async (...names: readonly string[]) =>
      until('the members', async () => {
        const segment = await segmentId(service, tag);
        const path = `/v2/properties/${property}/segments/${segment}/profiles`;
        const { profiles } = await client.get(path, v.looseObject({ profiles: v.array(person) }));
        const emails = profiles.map(({ email }) => email?.split('@')[0] ?? '').toSorted();
        if (emails.join() !== names.join()) return undefined;
        return new Map(profiles.map(({ profile_uuid, email }) => [profile_uuid, { profile_uuid, email }]));
      });

    for (const one of ['ada', 'bob', 'cyd']) await put({ email: `${one}@example.org`, tags });
    const first = await members('ada', 'bob', 'cyd');
    const port = await freePort();
    const definition = {
      segment: [{ type: 'tag', name: tag }],
      scope: 'delta',
      data_format: 'jsonl',
      field_set: 'custom',
      custom_result_format: [{ umbel_field_name: 'email', destination_field_name: 'email' }],
      changes: { url: `http://127.0.0.1:${port}/`, kinds: ['added', 'changed', 'removed'], first: 'all' },
      start: false,
    };
    const made = v.looseObject({ id: v.string(), webhook_secret: v.string() });
    const { id, webhook_secret } = await client.post(at('exports'), definition, made);
    const { people } = await start(name, webhook_secret, port);
    const run = async (count: number, expected: ReadonlyMap<string, unknown>): Promise<void> => {
      await client.post(at(`exports/${id}/jobs`), {}, v.unknown());
      await completeJobs(service, id, count);
      await until('the changes', () => sameMap(people(), expected) || undefined);
    };
    await run(1, first);
    await put({ email: 'bob@example.org', remove_tags: [tag] });
    await put({ email: 'dan@example.org', tags });
    await run(2, await members('ada', 'cyd', 'dan'));
  });
});

const sameMap = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean =>
  one.size === other.size &&
  [...one].every(([key, value]) => JSON.stringify(value) === JSON.stringify(other.get(key)));
