/** A feed of changes on the running service, with a receiver that loses answers and is away for a while. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, expect, it } from 'vitest';
import { exportAnswer, exportTestAnswer, jobAnswer } from '../../shared/exports/model/answers.ts';
import { segmentChanges } from '../../shared/exports/model/export-events.ts';
import { fieldMap, mappingOf } from '../support/field-map.ts';
import { listening } from '../support/listening.ts';
import { defineImport, importFile, segmentId, undo } from '../support/running.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';

/** What the receiver does with its next call, if it does not just take it. */
type Trouble = 'loses the answer' | 'is away';

type People = ReadonlyMap<string, string | null>;

/** A receiver that applies each call once, by its id, and discards what it knows when a job builds on nothing. */
const openFeed = async () => {
  const people = new Map<string, string | null>();
  const ids: string[] = [];
  const troubles: Trouble[] = [];
  const faults: unknown[] = [];
  const secret = { shown: '' };
  const apply = (id: string, body: string): void => {
    if (ids.includes(id)) return;
    ids.push(id);
    const call = v.safeParse(segmentChanges, JSON.parse(body));
    if (!call.success) return;
    const { delta_from, part, changes } = call.output;
    if (delta_from === null && part === 1) people.clear();
    for (const { change, profile } of changes) {
      if (change === 'removed') people.delete(profile.profile_uuid);
      else people.set(profile.profile_uuid, v.parse(v.nullable(v.string()), profile['mail']));
    }
  };
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const trouble = troubles.shift();
      if (trouble === 'is away') return response.writeHead(503).end();
      const body = bytes.toString();
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      try {
        new Webhook(secret.shown).verify(body, Object.fromEntries(headers));
      } catch (error) {
        faults.push(error);
      }
      apply(String(request.headers['webhook-id']), body);
      return trouble === undefined ? response.writeHead(204).end() : request.socket.destroy();
    });
  });
  const at = await listening(server);
  const close = () => at[Symbol.asyncDispose]();
  return { url: `${at.url}/crm`, people, ids, troubles, faults, secret, close };
};

let service: Service;
let feed: Awaited<ReturnType<typeof openFeed>>;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  feed = await openFeed();
}, 180_000);
afterAll(() => feed.close());

const at = (rest: string): string => `/v1/${service.property}/${rest}`;
const person = v.looseObject({
  profile_uuid: v.string(),
  email: v.nullable(v.string()),
  consent: v.array(v.looseObject({ state: v.string() })),
});

/** The members of the export as the API answers them. */
const members = async (): Promise<People> => {
  const path = `/v2/properties/${service.property}/segments/${await segmentId(service, 'Jazz')}/profiles`;
  const { profiles } = await service.client.get(
    `${path}?include=consent`,
    v.looseObject({ profiles: v.array(person) }),
  );
  const given = profiles.filter(({ consent }) => consent.some(({ state }) => state === 'given'));
  return new Map(given.map(({ profile_uuid, email }) => [profile_uuid, email]));
};

const sorted = (people: People) => [...people].toSorted(([one], [other]) => (one < other ? -1 : 1));
const names = (people: People) => [...people.values()].map((mail) => mail?.split('@')[0]).toSorted();

const consentMap = fieldMap('consent.email', 'Newsletter', {
  transformations: [{ name: 'map', values: { ja: 'given', nein: 'withdrawn' } }],
});

/** Imports people; returns the path of the job. */
const importPeople = async (...lines: readonly string[]): Promise<string> => {
  const { mapping_fields } = mappingOf(['email', 'tags', consentMap]);
  const path = await defineImport(service, { name: 'Hall', mapping_fields });
  return (await importFile(service, path, ['email,tags,Newsletter', ...lines, ''].join('\n'))).job;
};

it('ends with the members as the API answers them, whatever its receiver and its people do', async () => {
  const { client } = service;
  await importPeople('ann@x.org,Jazz,ja', 'ben@x.org,Jazz,ja', 'cem@x.org,Jazz,ja', 'eve@x.org,Jazz,nein');
  const made = await client.post(
    at('exports'),
    {
      segment: [{ type: 'tag', name: 'Jazz' }],
      consent: { channel: 'email', state: 'given' },
      ...{ scope: 'delta', data_format: 'jsonl', field_set: 'custom', start: false },
      custom_result_format: [{ umbel_field_name: 'email', destination_field_name: 'mail' }],
      changes: { url: feed.url, first: 'all' },
    },
    v.looseObject({ id: v.string(), webhook_secret: v.string() }),
  );
  feed.secret.shown = made.webhook_secret;
  const path = at(`exports/${made.id}`);
  const tested = await client.post(`${path}/test`, {}, exportTestAnswer);
  expect(tested).toMatchObject({ ok: true, steps: [{ step: 'changes', result: 'ok' }] });

  const request = async () => (await client.post(`${path}/jobs`, {}, jobAnswer)).id;
  /** Whether the changes of a job were given up, because somebody in it was forgotten. */
  const isGivenUp = async (job: string): Promise<boolean> =>
    (await client.get(`${path}/jobs/${job}`, jobAnswer)).deliveries.some(
      ({ state }) => state === 'exhausted',
    );
  /** Runs the export until its receiver has taken all of a job. */
  const told = async (job?: string): Promise<readonly (string | undefined)[]> => {
    let wanted = job ?? (await request());
    await until('all changes', async () => {
      if (await isGivenUp(wanted)) wanted = await request();
      const { changes } = await client.get(path, exportAnswer);
      return changes?.told_job === wanted || undefined;
    });
    expect(sorted(feed.people)).toEqual(sorted(await members()));
    expect(feed.faults).toEqual([]);
    return names(feed.people);
  };

  feed.troubles.push('loses the answer');
  expect(await told()).toEqual(['ann', 'ben', 'cem']);

  const second = await importPeople('dan@x.org,Jazz,ja', 'fay@x.org,Jazz,ja');
  feed.troubles.push('is away');
  const waiting = await request();
  await until('a call that finds nobody', () => feed.troubles.length === 0 || undefined);
  // Nobody overtakes the job that is told: a run that comes due meanwhile waits for it.
  await client.post(at('profiles'), { email: 'ann@x.org', remove_tags: ['Jazz'] }, v.unknown());
  const next = await request();
  expect(next).not.toBe(waiting);
  expect(await told(next)).toEqual(['ben', 'cem', 'dan', 'fay']);

  // Somebody whom the import brought is gone with it.
  await undo(service, second);
  expect(await told()).toEqual(['ben', 'cem']);

  const withdrawn = [{ channel: 'email', state: 'withdrawn', source: 'phone call' }];
  await client.post(at('profiles'), { email: 'ben@x.org', consent: withdrawn }, v.unknown());
  expect(await told()).toEqual(['cem']);

  feed.troubles.push('loses the answer');
  expect((await service.call('DELETE', at('profile?email=cem@x.org'))).status).toBe(200);
  const given = [{ channel: 'email', state: 'given', source: 'till' }];
  const tags = [{ datetime: '2026-01-02 03:04:05', tag: ['Jazz'] }];
  await client.post(at('profiles'), { email: 'gia@x.org', consent: given, tags }, v.unknown());
  expect(await told()).toEqual(['gia']);

  // Nothing has changed: the receiver hears nothing.
  const calls = feed.ids.length;
  expect(await told()).toEqual(['gia']);
  expect(feed.ids).toHaveLength(calls);
}, 180_000);
