import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { accessAnswer, accessDisclosures, accessLocation } from '../../shared/profiles/schemas.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { jsonOf, problemOf } from '../support/answers.ts';
import { profileRoutes } from './routes.ts';

let routes: Awaited<ReturnType<typeof profileRoutes>>;
beforeEach(async () => {
  routes = await profileRoutes();
});

const sent = {
  unique_id: 'u',
  email: 'ann@example.org',
  age: 41,
  tags: [{ datetime: '2024-01-01 00:00:00', tag: ['vip'] }],
  extra_data: { spend: 5 },
  consent: [{ channel: 'email', state: 'given', datetime: '2024-01-01T00:00:00Z', source: 'web' }],
};

describe('GET profile/access-request', () => {
  it('answers all values, their sources, segments and moments of one person as a file', async () => {
    const profile_uuid = String(jsonOf(await routes.demo.post(sent))['profile_uuid']);
    const { time } = routes.harness;
    const first = isoTime(time.now);
    time.now += 60_000;
    await routes.demo.post({ unique_id: 'u', email: 'new@example.org', tags: null });
    const last = isoTime(time.now);
    time.now += 60_000;
    const answer = await routes.demo.access('email=ann@example.org');
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="access-request-${profile_uuid}.json"`,
    );
    const file = v.parse(accessAnswer, jsonOf(answer));
    expect(file.stored).toEqual({ first, last });
    expect(file).toMatchObject({ profile: { profile_uuid, email: 'new@example.org' }, age: 41, tags: [] });
    expect(file.provenance.fields['email']?.map(({ value }) => value)).toEqual([
      'new@example.org',
      'ann@example.org',
    ]);
    expect(file.provenance.erased).toMatchObject([{ what: 'tags' }]);
    expect(file.segments.map(({ name }) => name)).toContain('everyone');
    const said = { channel: 'email', state: 'given', datetime: '2024-01-01T00:00:00.000Z' };
    expect(file.consent).toEqual([{ ...said, source: 'web' }]);
    expect(file.provenance.consent).toMatchObject([{ ...said, label: 'web', source: 'api', won: true }]);
    expect(file.moments).toEqual([]);
    expect(file.former).toEqual({ all_looked_at: true, jobs: [] });
    const reads = routes.harness.auditLog.items().filter(({ action }) => String(action).startsWith('GET'));
    expect(reads.map(({ ids }) => ids)).toEqual([{ profile_uuid }]);
  });

  it('stores a large file, and leads to it', async () => {
    await routes.demo.post({ ...sent, extra_data: { notes: '"'.repeat(150_000) } });
    const answer = await routes.demo.access('unique_id=u');
    expect(answer.statusCode).toBe(303);
    const [key = ''] = await routes.work.list('access-requests/');
    const text = Buffer.from((await routes.work.get(key)) ?? []).toString();
    expect(v.parse(accessAnswer, JSON.parse(text)).extra_data['notes']).toHaveLength(150_000);
  });

  it('answers a small file with redirect=false, and stores none', async () => {
    await routes.demo.post(sent);
    const answer = await routes.demo.access('unique_id=u&redirect=false');
    expect(v.parse(accessAnswer, jsonOf(answer)).profile.unique_id).toBe('u');
    expect(await routes.work.list('access-requests/')).toEqual([]);
  });

  it('answers the address of a large file with redirect=false, and says until when it opens', async () => {
    const large = { ...sent, extra_data: { notes: '"'.repeat(150_000) } };
    const profile_uuid = String(jsonOf(await routes.demo.post(large))['profile_uuid']);
    const { time } = routes.harness;
    const answer = await routes.demo.access('unique_id=u&redirect=false');
    expect([answer.statusCode, answer.headers['location']]).toEqual([200, undefined]);
    const { location, expires } = v.parse(accessLocation, jsonOf(answer));
    expect(expires).toBe(isoTime(time.now + limits.profiles.accessFileSeconds * 1_000));
    const [key = ''] = await routes.work.list('access-requests/');
    expect(location).toContain(key);
    const text = Buffer.from((await routes.work.get(key)) ?? []).toString();
    expect(v.parse(accessAnswer, JSON.parse(text)).profile.profile_uuid).toBe(profile_uuid);
    const reads = routes.harness.auditLog.items().filter(({ action }) => String(action).startsWith('GET'));
    expect(reads.map(({ ids }) => ids)).toEqual([{ profile_uuid }]);
  });

  it('answers only who may have got the data with only=disclosures, stores no file, and is in the audit log', async () => {
    const profile_uuid = String(jsonOf(await routes.demo.post(sent))['profile_uuid']);
    const answer = await routes.demo.access('unique_id=u&only=disclosures');
    const { disclosures } = v.parse(accessDisclosures, jsonOf(answer));
    expect(disclosures).toMatchObject({ all_looked_at: true, exports: [], enrichers: [] });
    expect(await routes.work.list('access-requests/')).toEqual([]);
    const reads = routes.harness.auditLog.items().filter(({ action }) => String(action).startsWith('GET'));
    expect(reads.map(({ ids }) => ids)).toEqual([{ profile_uuid, shown: 'disclosures' }]);
    expect(problemOf(await routes.demo.access('unique_id=u&only=tags'))).toMatchObject({ status: 400 });
  });

  it('is 404 for nobody, and for a person of another account', async () => {
    await routes.demo.post(sent);
    expect(problemOf(await routes.demo.access('unique_id=x'))).toMatchObject({ status: 404 });
    for (const only of ['', '&redirect=false', '&only=disclosures'])
      expect(problemOf(await routes.other.access(`unique_id=u${only}`))).toMatchObject({ status: 404 });
  });
});
