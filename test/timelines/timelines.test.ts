import { describe, expect, it } from 'vitest';
import { check } from '../../shared/http/schema-faults.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { changesAnswer, changesQuery } from '../../shared/timelines/changes-schemas.ts';
import { countedTimelineAnswer, timelineBody } from '../../shared/timelines/schemas.ts';
import * as v from 'valibot';
import { everyone, property } from '../segments/fixture.ts';
import { baseUrl, behind, HOUR, START, taggedPeople } from './harness.ts';
import { ada } from '../support/requests.ts';

const setUp = async (people = 3) => {
  const { harness: fresh, ...rest } = await taggedPeople([...Array(people).keys()]);
  return { ...rest, fresh, harness: fresh() };
};

const segmentUrl = (id: number) => `${baseUrl}/v2/properties/${property}/segments/${id}/profiles`;

describe('a new timeline', () => {
  it('comes with its first moment, a segment with the members of now', async () => {
    const { harness, tag, fixture, fresh } = await setUp();
    const { status, body } = await harness.create('  Spring ', tag, 'the first');
    expect(status).toBe(201);
    const created_date = new Date(START).toISOString();
    const id = scopedId(property, 1);
    const moment = scopedId(property, 3);
    expect(body).toEqual({
      id,
      name: '  Spring ',
      reference_tile: tag,
      created_by: ada,
      created_date,
      schedule: null,
      next_run: null,
      moments: [
        {
          id: moment,
          name: `  Spring  ${created_date}`,
          comments: 'the first',
          created_by: ada,
          created_date,
          links: { profiles: segmentUrl(moment), profiles_added: null, profiles_removed: null },
        },
      ],
    });
    await fixture.put(
      [
        [0, undefined],
        [7, { tags: ['a'] }],
      ],
      ['a'],
    );
    expect(await behind(harness, property, segmentUrl(moment))).toEqual([1, 2]);
    expect(await fresh().deps.catalogue.get(property, moment)).toMatchObject({ id: moment, type: 'moment' });
    // Names that look alike are one name: the number of spaces does not matter.
    for (const name of [`spring ${created_date}`, `spring  ${created_date}`]) {
      const found = await fresh().deps.catalogue.find(property, name, { limit: 10 });
      expect(found.items.map((one) => one.id)).toEqual([moment]);
    }
  });

  it('is refused under a name that another has, however it is written', async () => {
    const { harness, tag } = await setUp();
    await harness.create('Café Straße', tag);
    for (const name of ['Café Straße', ' cafe\u0301 STRASSE\t', 'CAFÉ strasse'])
      expect(await harness.create(name, everyone)).toMatchObject({ status: 409, code: 'duplicate_name' });
    expect(await harness.create('Cafe Strasse', tag)).toMatchObject({ status: 201 });
  });

  it('may track any segment, also a segment that another timeline tracks, a moment or a replaced segment', async () => {
    const { harness, tag } = await setUp();
    const first = await harness.created('one', tag);
    expect(await harness.create('two', tag)).toMatchObject({ status: 201 });
    expect(await harness.create('three', first.moments[0]?.id ?? 0)).toMatchObject({ status: 201 });
    for (const unknown of [tag + 500, 5, scopedId(property + 1, 1)])
      expect(await harness.create('x', unknown)).toMatchObject({ status: 422, code: 'unknown_reference' });
    expect(await harness.create('x', tag)).toMatchObject({ status: 201 });
  });

  it('has a segment id, a name and comments in their bounds', () => {
    const good = { reference_tile: 7, name: 'x', comments: '' };
    const faultsOf = (change: Record<string, unknown>) => {
      const checked = check(timelineBody, { ...good, ...change });
      return checked.ok ? [] : checked.faults.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    expect(faultsOf({})).toEqual([]);
    for (const reference_tile of [null, '5', 1.5, -1, 0, 2 ** 53, [], undefined, Infinity])
      expect(faultsOf({ reference_tile })).toEqual([textLike('/reference_tile')]);
    for (const name of ['', ' \n\t', null, 7, 'x'.repeat(256), 'a\nb'])
      expect(faultsOf({ name })).toHaveLength(1);
    for (const name of ['=1+1', '<b>', '\u202egnirts', '🙂']) expect(faultsOf({ name })).toEqual([]);
    for (const comments of [null, 1, [], 'x'.repeat(4_001)]) expect(faultsOf({ comments })).toHaveLength(1);
    expect(faultsOf({ schedule: { minute: '61' } })).toEqual(['/schedule/minute not_a_cron_field']);
  });
});

const textLike = (start: string): unknown => expect.stringContaining(start);

describe('a further moment', () => {
  it('comes with links to who came and who left', async () => {
    const { harness, tag, clock, fixture } = await setUp();
    const { id, moments } = await harness.created('t', tag);
    await fixture.put(
      [
        [0, undefined],
        [7, { tags: ['a'] }],
        [8, {}],
      ],
      ['a'],
    );
    clock.now += HOUR;
    const next = await harness.added(id);
    expect(next).toMatchObject({ comments: '', created_by: ada, name: `t ${next.created_date}` });
    expect(next.links).toEqual({
      profiles: segmentUrl(next.id),
      profiles_added: `${segmentUrl(next.id)}?not=${moments[0]?.id ?? 0}`,
      profiles_removed: `${segmentUrl(moments[0]?.id ?? 0)}?not=${next.id}`,
    });
    expect(await behind(harness, property, next.links.profiles, 1)).toEqual([1, 2, 7]);
    expect(await behind(harness, property, next.links.profiles_added, 1)).toEqual([7]);
    // Who was forgotten has no profile that a page could show.
    expect(await behind(harness, property, next.links.profiles_removed, 1)).toEqual([]);
  });

  it('may come when the hour is over, to the millisecond', async () => {
    const { harness, tag, clock } = await setUp();
    const { id } = await harness.created('t', tag);
    const early = async (ms: number, after: string) => {
      clock.now = START + ms;
      const { status, code, headers } = await harness.add(id);
      expect({ status, code, after: headers['retry-after'] }).toEqual({
        status: 429,
        code: 'moment_too_early',
        after,
      });
    };
    await early(0, '3600');
    await early(1, '3600');
    await early(1_000, '3599');
    await early(HOUR - 1_000, '1');
    await early(HOUR - 1, '1');
    // A clock that was put back neither lets one come nor makes anybody wait longer than an hour.
    await early(-2 * HOUR, '3600');
    clock.now = START + HOUR;
    expect(await harness.add(id)).toMatchObject({ status: 201 });
    await early(HOUR, '3600');
    await early(2 * HOUR - 1, '1');
    clock.now = START + 2 * HOUR;
    expect(await harness.add(id)).toMatchObject({ status: 201 });
    const { moments } = await harness.counted(id);
    expect(moments.map(({ created_date }) => Date.parse(created_date) - START)).toEqual([0, HOUR, 2 * HOUR]);
  });

  it('is 404 for a timeline that is unknown, foreign or deleted', async () => {
    const { harness, tag } = await setUp();
    const { id } = await harness.created('t', tag);
    await harness.remove(id);
    for (const one of [id, id + 1, scopedId(property + 1, 1), 5]) {
      expect(await harness.add(one)).toMatchObject({ status: 404 });
      expect(await harness.get(one)).toMatchObject({ status: 404 });
      expect(await harness.remove(one)).toMatchObject({ status: 404 });
    }
  });
});

describe('reading timelines', () => {
  it('lists them in pages, each with its newest 100 moments, oldest first', async () => {
    const { harness, tag, clock } = await setUp(1);
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await harness.created(name, tag)).id);
    for (let n = 0; n < 101; n += 1) {
      clock.now += HOUR;
      await harness.added(ids[1] ?? 0);
    }
    const { timelines, link } = await harness.list({ limit: 2 });
    expect(timelines.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(timelines.map(({ moments }) => moments.length)).toEqual([1, 100]);
    const dates = timelines[1]?.moments.map(({ created_date }) => Date.parse(created_date)) ?? [];
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
    expect(dates.at(-1)).toBe(clock.now);
    const next = /^<(https:[^>]+)>; rel="next"$/.exec(link ?? '')?.[1] ?? '';
    expect(next).toContain(`/v2/properties/${property}/timelines?limit=2&cursor=`);
    const rest = await harness.list({ limit: 2, cursor: new URL(next).searchParams.get('cursor') ?? '' });
    expect([rest.timelines.map(({ id }) => id), rest.link]).toEqual([[ids[2]], undefined]);
  });

  it('lists those of a name or of a tracked segment, the newest first when asked', async () => {
    const { harness, tag } = await setUp(1);
    const other = everyone;
    for (const [name, tracked] of [
      ['Spring', tag],
      ['spring 2', other],
      ['Autumn', other],
    ] as const)
      await harness.created(name, tracked);
    const names = async (query: Parameters<typeof harness.list>[0]) =>
      (await harness.list(query)).timelines.map(({ name }) => name);
    expect(await names({ name: 'SPRING' })).toEqual(['Spring', 'spring 2']);
    expect(await names({ reference_tile: other, order: 'newest' })).toEqual(['Autumn', 'spring 2']);
    expect(await names({ reference_tile: other, name: 'spring' })).toEqual(['spring 2']);
    expect(await names({ order: 'newest', limit: 1 })).toEqual(['Autumn']);
  });

  it('pages all moments of one, each once, at any limit, with exact counts', async () => {
    const { harness, tag, clock, fixture } = await setUp(2);
    const { id } = await harness.created('t', tag);
    for (let n = 1; n < 7; n += 1) {
      clock.now += HOUR;
      await fixture.put([[n + 10, { tags: ['a'] }]], ['a']);
      await harness.added(id);
    }
    for (let limit = 1; limit <= 8; limit += 1) {
      const seen: { id: number; count: number; added: number | null }[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await harness.get(id, { limit, ...(cursor === undefined ? {} : { cursor }) });
        const page = v.parse(countedTimelineAnswer, body);
        expect(page.moments.length).toBeLessThanOrEqual(limit);
        seen.push(...page.moments);
        const { next_page } = page.paging;
        cursor =
          next_page === null ? undefined : (new URL(next_page).searchParams.get('cursor') ?? undefined);
      } while (cursor !== undefined);
      expect(seen.map(({ count }) => count)).toEqual([2, 3, 4, 5, 6, 7, 8]);
      expect(seen.map(({ added }) => added)).toEqual([null, 1, 1, 1, 1, 1, 1]);
    }
    expect(await harness.get(id, { cursor: 'forged' })).toMatchObject({ status: 400 });
  });

  it('tells changes between its own moments only', async () => {
    const { harness, tag, clock } = await setUp();
    const { id, moments } = await harness.created('t', tag);
    const other = await harness.created('u', tag);
    clock.now += HOUR;
    const [from, to] = [moments[0]?.id ?? 0, (await harness.added(id)).id];
    expect(await harness.changes(id, { from, to })).toMatchObject({ status: 200 });
    for (const foreign of [tag, other.moments[0]?.id ?? 0, to + 100, 7])
      for (const query of [
        { from, to: foreign },
        { from: foreign, to },
      ])
        expect(await harness.changes(id, query)).toMatchObject({ status: 404 });
    expect(await harness.changes(id, { from, to, page: 'x' })).toMatchObject({ status: 400 });
  });

  it('adds to the people of changes what "include" names', async () => {
    const { harness, tag, clock, fixture } = await setUp();
    const { id, moments } = await harness.created('t', tag);
    await fixture.put(
      [
        [0, { tags: [] }],
        [9, { tags: ['a', 'b'], age: 30 }],
      ],
      ['a'],
    );
    clock.now += HOUR;
    const [from, to] = [moments[0]?.id ?? 0, (await harness.added(id)).id];
    const { include } = v.parse(changesQuery, { from: `${from}`, to: `${to}`, include: 'age,tags' });
    const { body } = await harness.changes(id, { from, to, include, limit: 1 });
    const first = v.parse(changesAnswer, body);
    expect(first.removed.map(({ age, tags }) => [age, tags])).toEqual([[null, []]]);
    expect(first.paging.next_page).toContain('&include=age,tags');
    const page = first.paging.next_page_uuid ?? undefined;
    expect((await harness.changes(id, { from, to, include, page })).body).toMatchObject({
      added: [{ age: 30, tags: [{ tag: 'a' }, { tag: 'b' }] }],
    });
    const plain = v.parse(changesAnswer, (await harness.changes(id, { from, to })).body);
    expect(plain.added.map(({ age, tags }) => [age, tags])).toEqual([[undefined, undefined]]);
  });
});

describe('a deleted timeline', () => {
  it('is gone with its name, and its moments stay as segments', async () => {
    const { harness, tag, clock, fresh, fixture } = await setUp();
    const { id, moments } = await harness.created('t', tag);
    clock.now += HOUR;
    const second = await harness.added(id);
    expect(await harness.remove(id)).toMatchObject({ status: 200, body: { id } });
    for (const moment of [moments[0]?.id ?? 0, second.id])
      expect(await behind(fresh(), property, segmentUrl(moment))).toEqual([0, 1, 2]);
    expect((await harness.list()).timelines).toEqual([]);
    const left = fixture.table.items().filter(({ pk }) => /#(TIMELINES$|T#|TN#|REFS#)|^TASKS#/.test(pk));
    expect(left).toEqual([]);
    expect(await harness.create('T', tag)).toMatchObject({ status: 201 });
  });
});
