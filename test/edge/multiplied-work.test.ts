import { noDisclosures } from '../support/no-disclosures.ts';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { listCollections } from '../../shared/collections/read-collections.ts';
import { limits } from '../../shared/config/limits.ts';
import { createExport } from '../../shared/exports/definitions/create-export.ts';
import { listExports } from '../../shared/exports/definitions/read-exports.ts';
import { newExportBody } from '../../shared/exports/model/schemas.ts';
import type { ApiAnswer } from '../../shared/http/api-types.ts';
import { bytesInAnswer } from '../../shared/http/fitting.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { createProfile } from '../../shared/ingest/create-profile.ts';
import { forgetProfile } from '../../shared/ingest/forget-profile.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { getProfile } from '../../shared/profiles/get-profile.ts';
import { contributionOf } from '../../shared/profiles/contribution.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { recordSchema } from '../../shared/profiles/record-schema.ts';
import { storedAnswer } from '../../shared/profiles/schemas.ts';
import { encodeState, profileItem } from '../../shared/profiles/stored-profile.ts';
import { keys } from '../../shared/table/keys.ts';
import { accepted } from '../profiles/harness.ts';
import type { Result } from '../../shared/runtime/result.ts';
import { explainMembership } from '../../shared/segments/explain/explain-membership.ts';
import { findSegments } from '../../shared/segments/find-segments.ts';
import { getSegment } from '../../shared/segments/get-segment.ts';
import { listProfileSegments } from '../../shared/segments/list-profile-segments.ts';
import { listSegmentProfiles } from '../../shared/segments/list-segment-profiles.ts';
import { previewSegment } from '../../shared/segments/preview-segment.ts';
import { segmentsOfProfile } from '../../shared/segments/segments-of-profile.ts';
import { property, referencesHarness, request } from '../references/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { MemoryTable } from '../support/memory-table.ts';

const { likes: mostLikes, tags: mostTags } = limits.profiles;
const { customPerProperty, perCollection } = limits.segments;
const mostNewSegments = limits.work.request.writes / limits.work.request.newSegment;

/** What one request may take of a processor: a second, of which these take half at most, and as much for a slow machine. */
const MOST_MS = 2_000;

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** The use cases on a table in memory, which counts its writes. */
const serviceOf = () => {
  const counts = { writes: 0 };
  const writing = new Set(['insert', 'update', 'delete', 'put']);
  const table = new MemoryTable((operation) => void (counts.writes += writing.has(operation) ? 1 : 0));
  const clock = (): number => Date.UTC(2026, 5, 1);
  const ports = { table, clock, pause: () => Promise.resolve(), derivations: unloadedBrands };
  const writer = profileWriter(ports);
  const enrichment = { asksAboutNew: () => Promise.resolve(false), request: () => Promise.resolve() };
  const profiles = profileRepository({ table });
  const references = referencesHarness(table);
  const segmentsOf = (
    ...[of, profile, now]: readonly [number, Parameters<typeof segmentsOfProfile>[2], number]
  ) => segmentsOfProfile({ ...ports, catalogue: writer.segments }, of, profile, now);
  const deps = {
    ...references,
    ...writer,
    ...{ enrichment, profiles, segmentsOf, catalogue: writer.segments },
    readProfiles: profiles.readEach,
    moments: momentMembers(writer),
    forgettings: new MemoryTable(),
    forgotten: forgottenPeople(table),
    disclosuresOf: noDisclosures,
  };
  const asked = { ...request(undefined), now: clock() };
  const path = (segment: number) => ({ ...asked, path: { segment_id: String(segment) } });
  let requests = 0;
  return {
    counts,
    table,
    references,
    membership: writer.membership,
    post: (sent: object) => {
      requests += 1;
      const body = v.parse(recordSchema, sent);
      return createProfile(deps, { ...asked, requestId: `r${requests}`, requestKey: `k${requests}`, body });
    },
    lookup: (email: string) =>
      getProfile(deps, {
        ...asked,
        query: { email, explain: false, include: new Set(['segments'] as const) },
      }),
    tree: (email: string) => listProfileSegments(deps, { ...asked, query: { email } }),
    forget: (email: string) => forgetProfile(deps, { ...asked, query: { email, refuse_later: false } }),
    pageOf: (segment: number) => listSegmentProfiles(deps, { ...path(segment), query: {} }),
    count: (segment: number) => getSegment(deps, path(segment)),
    list: () => findSegments(deps, { ...asked, query: {} }),
    collections: () => listCollections(deps, { ...asked, query: { limit: 1_000 } }),
    preview: (definition: SegmentExpression) =>
      previewSegment({ ...deps, random: Math.random }, { ...asked, body: { definition } }),
    explain: (segment: number, profile_uuid: string) =>
      explainMembership(deps, { ...asked, query: {}, path: { segment_id: String(segment), profile_uuid } }),
    exports: () => listExports(deps, { ...asked, query: {} }),
    export: (body: object) => createExport(deps, { ...asked, body: v.parse(newExportBody, body) }),
  };
};
type Service = ReturnType<typeof serviceOf>;

type Answer = Result<ApiAnswer, Problem>;
const statusOf = (answer: Answer): number => (answer.ok ? answer.value.status : answer.error.status);

/** Sends a request, and says its status, the bytes of its answer, its writes, and the processor time that it took. */
const costOf = async ({ counts }: Service, send: () => Promise<Answer>) => {
  const writesBefore = counts.writes;
  const before = process.cpuUsage();
  const answer = await send();
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  const bytes = answer.ok ? bytesInAnswer(answer.value.body) : 0;
  return { answer, status: statusOf(answer), ms, bytes, writes: counts.writes - writesBefore };
};

/** Checks that a request was answered, within the size of an answer and the time that one may take. */
const isBounded = async (service: Service, send: () => Promise<Answer>, status = 200): Promise<void> => {
  const cost = await costOf(service, send);
  expect(cost.status).toBe(status);
  expect(cost.bytes).toBeLessThanOrEqual(limits.http.pageBytes + 5_000);
  expect(cost.ms).toBeLessThan(MOST_MS);
};

const likesOf = (name: string, count: number) => times(count, (index) => ({ id: `${name} ${index}` }));

describe('the record of one request', () => {
  const refused = { status: 422, errors: [{ pointer: '/social_likes', code: 'too_many' }] };

  it('with as many new likes as may be makes all their segments', async () => {
    const service = serviceOf();
    await service.post({ email: 'first@example.org' });
    const send = () =>
      service.post({ email: 'a@example.org', social_likes: likesOf('a', mostNewSegments - 10) });
    const { status, writes, ms } = await costOf(service, send);
    expect(status).toBe(201);
    expect(writes).toBeLessThanOrEqual(limits.work.request.writes + 20);
    expect(ms).toBeLessThan(MOST_MS);
  });

  it('with more new likes is refused and stores nothing, and may be sent in parts', async () => {
    const service = serviceOf();
    const all = likesOf('a', mostLikes);
    const { answer, writes, ms } = await costOf(service, () =>
      service.post({ email: 'a@example.org', social_likes: all }),
    );
    expect(answer).toMatchObject({ ok: false, error: refused });
    expect(writes).toBe(0);
    expect(ms).toBeLessThan(MOST_MS);
    for (let from = 0; from < mostLikes; from += 1_900)
      await isBounded(
        service,
        () => service.post({ email: 'a@example.org', social_likes: all.slice(from, from + 1_900) }),
        from === 0 ? 201 : 200,
      );
    // Others like the same pages, in one request.
    await isBounded(service, () => service.post({ email: 'b@example.org', social_likes: all }), 201);
    await isBounded(service, () => service.post({ email: 'b@example.org', social_likes: all }), 200);
    await isBounded(service, () => service.post({ email: 'b@example.org', social_likes: null }), 200);
    await isBounded(service, () => service.forget('a@example.org'));
  });

  it('with as many tags, labels and keys as may be', async () => {
    const service = serviceOf();
    const tags = times(mostTags, (index) => `tag ${index}`);
    const body = {
      email: 'a@example.org',
      tags: [{ datetime: '2026-01-01 00:00:00', tag: tags }],
      source: times(250, (index) => index).join(','),
      extra_data: Object.fromEntries(times(200, (index) => [`key ${index}`, times(400, () => 1)])),
    };
    await isBounded(service, () => service.post(body), 201);
    await isBounded(service, () => service.post(body), 200);
    await isBounded(service, () => service.lookup('a@example.org'));
  });
});

describe('a thousand of the largest profiles', () => {
  it('are shown in pages, and previewed', async () => {
    const service = serviceOf();
    // Many short values take the longest to read.
    const key = times(90_000, () => 'a');
    const storedOf = (more: object): string => {
      const record = accepted({ email: 'a@example.org', first_name: 'Ann', ...more });
      return encodeState(contributionOf(record, record.patch.identities, record.stamp));
    };
    const [small, large] = [storedOf({}), storedOf({ extra_data: { key } })];
    expect(large.length).toBeGreaterThan(0.9 * limits.profiles.itemBytes);
    const people = times(1_000, (ordinal) => ordinal);
    const store = async (stored: string): Promise<void> => {
      for (const ordinal of people)
        await service.table.put(keys.profile(property, ordinal), profileItem(stored, 1));
    };
    await store(small);
    const pairs = people.map((ordinal) => ({ segment: everyoneId(property), ordinal }));
    await service.membership.reindex({ id: property }, pairs);
    await store(large);
    await isBounded(service, () => service.pageOf(everyoneId(property)));
    await isBounded(service, () => service.preview(everyoneId(property)));
  });
});

describe('definitions that name each other', () => {
  const EMAIL = 'a@example.org';
  let service: Service;
  let uuid: string;
  let widest: number;
  let tags: number[];
  let customs: number[];

  beforeAll(async () => {
    service = serviceOf();
    const named = times(mostTags - 10, (index) => `${'long name '.repeat(70)}${index}`);
    const posted = await service.post({
      email: EMAIL,
      tags: [{ datetime: '2026-01-01 00:00:00', tag: named }],
    });
    if (!posted.ok) throw new Error(JSON.stringify(posted.error));
    uuid = v.parse(storedAnswer, posted.value.body).profile_uuid;
    const listed = await service.list();
    const ids = v.parse(
      v.array(v.looseObject({ id: v.number(), type: v.string() })),
      listed.ok ? listed.value.body : [],
    );
    tags = ids.flatMap(({ id, type }) => (type === 'tag' ? [id] : []));
    customs = [];
    const make = async (definition: SegmentExpression): Promise<number> => {
      const { id, code } = await service.references.makeSegment(
        definition,
        `${'c'.repeat(240)} ${customs.length}`,
      );
      if (id === undefined) throw new Error(code);
      customs.push(id);
      return id;
    };
    const nots = (from: number) => ({
      all: times(20, (index) => ({ not: tags[(from + index) % tags.length] ?? 0 })),
    });
    const parts: number[] = [];
    for (let index = 0; index < 22; index += 1) parts.push(await make(nots(20 * index)));
    widest = await make({ any: parts });
    while (customs.length < customPerProperty)
      await make({ any: [widest, tags[customs.length % tags.length] ?? 0] });
  }, 120_000);

  it('are counted, shown and listed', async () => {
    await isBounded(service, () => service.count(widest));
    await isBounded(service, () => service.pageOf(widest));
    await isBounded(service, () => service.list());
  });

  it('are previewed, as deep and wide as may be', async () => {
    await isBounded(service, () => service.preview({ any: [widest, everyoneId(property)] }));
    await isBounded(service, () => service.preview({ any: times(45, () => widest) }), 422);
    const deep = times(14, (index) => index).reduce<SegmentExpression>((inner) => ({ not: inner }), widest);
    await isBounded(service, () => service.preview(deep));
  });

  it('are in the tree of a person, who is in a thousand of them', async () => {
    await isBounded(service, () => service.tree(EMAIL));
    await isBounded(service, () => service.lookup(EMAIL));
  });

  it('are explained with all their conditions', async () => {
    await isBounded(service, () => service.explain(widest, uuid));
  });

  it('are exported, a thousand at once', async () => {
    await isBounded(service, () => service.export({ segment: customs }), 202);
    await isBounded(service, () => service.export({ segment: tags }), 202);
    await isBounded(service, () => service.exports());
  });

  it('are in collections, which are listed', async () => {
    const all = [...tags, ...customs].slice(0, perCollection);
    for (let index = 0; index < 4; index += 1) await service.references.makeCollection(all);
    await isBounded(service, () => service.collections());
  });
});
