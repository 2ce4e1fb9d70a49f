import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import { keys } from '../../shared/table/keys.ts';
import {
  chartLinkAnswer,
  countedMomentAnswer,
  countedTimelineAnswer,
  momentAnswer,
  timelineAnswer,
  timelinesAnswer,
} from '../../shared/timelines/schemas.ts';
import { changesAnswer } from '../../shared/timelines/changes-schemas.ts';
import { identified } from '../support/api-client.ts';
import { changeItem } from '../support/items.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';
import { figuresIn } from './harness.ts';

const HOUR = 3_600_000;
const RACERS = 100;
let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

const path = (rest = ''): string => `/v2/properties/${service.property}/timelines${rest}`;
const send = (to: string, body?: unknown, key?: string) =>
  service.call('POST', to, {
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const put = (email: string, tag: string) =>
  service.client.post(
    `/v1/${service.property}/profiles`,
    { email, tags: [{ datetime: '2026-01-02 03:04:05', tag: [tag] }] },
    v.looseObject({ profile_uuid: v.string() }),
  );
const segmentOf = async (name: string): Promise<number> => {
  const found = await service.client.get(
    `/v1/${service.property}/segments?name=${name}`,
    v.array(identified),
  );
  return found[0]?.id ?? 0;
};
const emails = async (link: string | null): Promise<readonly (string | null)[]> => {
  const { profiles } = await service.client.get(link ?? '', segmentProfilesAnswer);
  return profiles.map(({ email }) => email);
};

/** Lets the last moment of a timeline be an hour old. */
const anHourLater = (id: number) =>
  changeItem(service, keys.timeline(service.property, id), { 'latest.created': Date.now() - HOUR });

describe('timelines of the running service', () => {
  it('show who was in, who came and who left, as soon as they are answered', async () => {
    await put('one@example.org', 'series');
    await put('two@example.org', 'series');
    const tile = await segmentOf('series');
    const body = { reference_tile: tile, name: 'Series', comments: 'the first' };
    const created = await send(path(), body, 'k1');
    expect(created.status).toBe(201);
    const timeline = v.parse(timelineAnswer, JSON.parse(created.text));
    expect(timeline.created_by.email).toMatch(/@/);
    expect((await send(path(), body, 'k1')).text).toBe(created.text);
    const again = await send(path(), { ...body, name: ' SERIES' });
    expect([again.status, JSON.parse(again.text)]).toMatchObject([409, { code: 'duplicate_name' }]);

    await put('three@example.org', 'series');
    await service.call('DELETE', `/v1/${service.property}/profile?email=two@example.org`);
    const early = await send(path(`/${timeline.id}/moments`));
    expect([early.status, JSON.parse(early.text)]).toMatchObject([429, { code: 'moment_too_early' }]);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(3_500);
    await anHourLater(timeline.id);
    // The route takes no body, and ignores a body.
    const added = await service.call('POST', path(`/${timeline.id}/moments`), { body: 'garbage' });
    const moment = v.parse(momentAnswer, JSON.parse(added.text));
    expect(added.status).toBe(201);
    expect(await emails(moment.links.profiles)).toEqual(['one@example.org', 'three@example.org']);
    expect(await emails(moment.links.profiles_added)).toEqual(['three@example.org']);
    expect(await emails(moment.links.profiles_removed)).toEqual([]);

    const [listed] = await service.client.get(path(), timelinesAnswer);
    expect(listed).toEqual({ ...timeline, moments: [...timeline.moments, moment] });
    const read = await service.client.get(path(`/${timeline.id}`), countedTimelineAnswer);
    const figures = read.moments.map(({ id, count, added, removed }) => ({ id, count, added, removed }));
    const first = timeline.moments[0]?.id ?? 0;
    expect(figures).toEqual([
      { id: first, count: 1, added: null, removed: null },
      { id: moment.id, count: 2, added: 1, removed: 0 },
    ]);
    const chart = await service.call('GET', path(`/${timeline.id}/chart.svg`));
    expect(chart.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(figuresIn(chart.text)).toEqual(figures);
    const changes = await service.client.get(
      path(`/${timeline.id}/changes?from=${moment.id}&to=${first}`),
      changesAnswer,
    );
    expect([changes.added.length, changes.removed.map(({ email }) => email)]).toEqual([
      0,
      ['three@example.org'],
    ]);
  });

  it('are segments for everything else: custom ones, counts and exports', async () => {
    const tile = await segmentOf('series');
    const custom = { name: 'Others', definition: { not: tile } };
    const { id: others } = await service.client.post(`/v1/${service.property}/segments`, custom, identified);
    const timeline = await service.client.post(
      path(),
      { reference_tile: others, name: 'Of a custom segment' },
      timelineAnswer,
    );
    const moment = timeline.moments[0]?.id ?? 0;
    expect((await service.call('DELETE', `/v1/${service.property}/segments/${others}`)).status).toBe(409);
    await put('late@example.org', 'other');
    const since = { name: 'Since', definition: { all: [others, { not: moment }] } };
    const made = await service.client.post(`/v1/${service.property}/segments`, since, identified);
    const counted = await service.client.get(
      `/v1/${service.property}/segments/${made.id}`,
      v.looseObject({ count: v.number() }),
    );
    expect(counted.count).toBe(1);
    const { id } = await service.client.post(
      `/v1/${service.property}/exports`,
      { segment: [timeline.moments[0]?.id ?? 0, made.id], field_set: 'email' },
      v.looseObject({ id: v.string() }),
    );
    const done = await until('the export', async () => {
      const read = await service.client.get(
        `/v1/${service.property}/exports/${id}`,
        v.looseObject({ status: v.string(), location: v.nullable(v.string()) }),
      );
      return read.status === 'complete' ? read : undefined;
    });
    const file = await fetch(done.location ?? '');
    expect(await file.text()).toContain('late@example.org');
    expect((await service.call('DELETE', path(`/${timeline.id}`))).status).toBe(200);
    expect((await service.call('DELETE', `/v1/${service.property}/segments/${made.id}`)).status).toBe(200);
    expect((await service.call('DELETE', `/v1/${service.property}/segments/${others}`)).status).toBe(200);
    expect(await emails(timeline.moments[0]?.links.profiles ?? null)).not.toContain('late@example.org');
  });

  it('have a link that shows the chart to everyone, until it is withdrawn', async () => {
    const [one] = await service.client.get(path(), timelinesAnswer);
    const other = { reference_tile: await segmentOf('everyone'), name: 'Everyone' };
    const two = await service.client.post(path(), other, timelineAnswer);
    const link = (body: object) =>
      service.client.post(path(`/${one?.id}/chart-links`), body, chartLinkAnswer);
    const { url, expires_at } = await link({ days: 7 });
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 7 * 24 * HOUR);
    const { pathname } = new URL(url);
    const open = (address: string) => service.call('GET', address, { as: 'nobody' });
    const shown = await open(`${pathname}?width=400`);
    expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
      'public, max-age=60',
    ]);
    expect(shown.text).toContain('width="400"');
    const usual = await service.call('GET', path(`/${one?.id}/chart.svg`));
    expect((await open(pathname)).text).toBe(usual.text);
    expect((await open(`${pathname}?width=5`)).status).toBe(400);
    expect((await open(`${pathname}?from=${two.moments[0]?.id}`)).status).toBe(404);
    const tampered = await open(pathname.replace(/.(?=\/chart)/, (last) => (last === 'A' ? 'E' : 'A')));
    expect([tampered.status, JSON.parse(tampered.text)]).toMatchObject([403, { code: 'link_closed' }]);
    expect((await send(path(`/${one?.id}/chart-links`), { days: 366 })).status).toBe(422);
    const foreign = { as: 'other', body: '{}' } as const;
    expect((await service.call('POST', path(`/${one?.id}/chart-links`), foreign)).status).toBe(404);
    expect((await service.call('DELETE', path(`/${one?.id}/chart-links`), foreign)).status).toBe(404);
    expect((await open(pathname)).status).toBe(200);
    expect((await service.call('DELETE', path(`/${one?.id}/chart-links`))).status).toBe(200);
    expect((await open(pathname)).status).toBe(403);
    expect((await open(new URL((await link({})).url).pathname)).status).toBe(200);
  });

  it(`give one of ${RACERS} racers a moment, and tell the others to wait`, async () => {
    const tile = await segmentOf('everyone');
    const { id } = await service.client.post(path(), { reference_tile: tile, name: 'Race' }, identified);
    await anHourLater(id);
    const told = await Promise.all(Array.from({ length: RACERS }, () => send(path(`/${id}/moments`))));
    const late = told.filter(({ status }) => status === 429);
    expect([told.filter(({ status }) => status === 201).length, late.length]).toEqual([1, RACERS - 1]);
    for (const { headers } of late) expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
    const names = await Promise.all(
      Array.from({ length: 20 }, () => send(path(), { reference_tile: tile, name: 'One name' })),
    );
    expect(names.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
  }, 60_000);

  it('are renamed by sending an answer back, and show each moment alone', async () => {
    const [one] = await service.client.get(path(), timelinesAnswer);
    const shown = await service.client.get(path(`/${one?.id}`), countedTimelineAnswer);
    const body = JSON.stringify({ ...shown, name: 'Renamed' });
    const answer = await service.call('PUT', path(`/${one?.id}`), { body });
    const { moments, paging, ...facts } = shown;
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { ...facts, name: 'Renamed' }]);
    const after = await service.client.get(path(`/${one?.id}`), countedTimelineAnswer);
    expect(after).toEqual({ ...shown, name: 'Renamed' });
    const [moment] = moments;
    expect(await service.client.get(path(`/${one?.id}/moments/${moment?.id}`), countedMomentAnswer)).toEqual(
      moment,
    );
    expect(paging.next_page).toBeNull();
  });

  it('hide the timelines of other accounts, and refuse malformed requests', async () => {
    const [one] = await service.client.get(path(), timelinesAnswer);
    for (const rest of ['', '/chart.svg', '/changes?from=1&to=1', `/moments/${one?.moments[0]?.id}`])
      expect((await service.call('GET', path(`/${one?.id}${rest}`), { as: 'other' })).status).toBe(404);
    expect((await service.call('POST', path(`/${one?.id}/moments`), { as: 'other' })).status).toBe(404);
    const body = JSON.stringify({ name: 'Theirs' });
    expect((await service.call('PUT', path(`/${one?.id}`), { as: 'other', body })).status).toBe(404);
    expect((await service.call('PUT', path(`/${one?.id}`), { body: '{"name": ""}' })).status).toBe(422);
    for (const query of ['', '?from=1', '?from=x&to=1', '?from=1&to=0', '?from=1&to=1&limit=0&x=1'])
      expect((await service.call('GET', path(`/${one?.id}/changes${query}`))).status).toBe(400);
    expect((await service.call('GET', path(`/${one?.id}/chart.svg?limit=1001`))).status).toBe(400);
    expect((await service.call('GET', path('?cursor=AAAA'))).status).toBe(400);
    expect((await service.call('POST', path('//moments'))).status).toBe(404);
    expect((await service.call('GET', `/v1/${service.property}/timelines`)).status).toBe(404);
  });
});
