import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { accessAnswer, accessLocation } from '../../shared/profiles/schemas.ts';
import { segmentAnswer, segmentsAnswer } from '../../shared/segments/schemas.ts';
import { finalCounts, identified, uploadFile } from '../support/api-client.ts';
import type { RawAnswer, Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { fieldMap } from '../support/field-map.ts';

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

const at = (path: string): string => `/v1/${service.property}/${path}`;
const post = (record: unknown): Promise<RawAnswer> =>
  service.call('POST', at('profiles'), { body: JSON.stringify(record) });
const stored = async (record: unknown): Promise<void> => {
  const { status, text } = await post(record);
  expect([200, 201], text).toContain(status);
};
const dated = (...tag: readonly string[]) => [{ datetime: '2026-01-02 03:04:05', tag }];

const lookup = v.object({ tags: v.array(v.looseObject({ tag: v.string() })) });
const tagsOf = async (email: string): Promise<readonly string[]> => {
  const found = await service.client.get(at(`profile?email=${email}&include=tags`), lookup);
  return found.tags.map(({ tag }) => tag).sort();
};

const segmentsNamed = async (name: string) =>
  v.parse(segmentsAnswer, JSON.parse((await service.call('GET', at(`segments?name=${name}`))).text));
const idOf = async (name: string): Promise<number> => {
  const [segment] = await segmentsNamed(name);
  if (!segment) throw new Error(`no segment has the name ${name}`);
  return segment.id;
};
const countOf = async (id: number): Promise<number | null> =>
  v.parse(segmentAnswer, JSON.parse((await service.call('GET', at(`segments/${id}`))).text)).count;

/** Imports a file with the columns email, tags and gone, and waits for its end. */
const importFile = async (lines: readonly string[], definition: number): Promise<void> => {
  const bytes = Buffer.from(['email,tags,gone', ...lines, ''].join('\n'));
  const job = await uploadFile(service.client, at(`imports/${definition}`), { name: 'tags.csv', bytes });
  expect(await finalCounts(service.client, job)).toMatchObject({ status: 'complete' });
};

const defineImport = async (fields: Readonly<Record<string, unknown>>): Promise<number> => {
  const targets = { email: 'email', tags: 'tags', gone: 'remove_tags' };
  const field_maps = Object.entries(targets).map(([name, target_field]) => fieldMap(target_field, name));
  const mapping_fields = { required_fields: ['email'], field_maps };
  const body = { name: 'Tags', mapping_fields, ...fields };
  return (await service.client.post(at('imports'), body, identified)).id;
};

describe('tags of a person over HTTP', () => {
  it('are removed by a record, from the profile and from their segments, until a later record adds them', async () => {
    await stored({ email: 'ann@example.org', tags: dated('Jazz', 'Rock') });
    await stored({ email: 'bob@example.org', tags: dated('Jazz') });
    const jazz = await idOf('jazz');
    expect(await countOf(jazz)).toBe(2);
    await stored({ email: 'ann@example.org', remove_tags: ['Jazz', 'never had'] });
    expect([await tagsOf('ann@example.org'), await countOf(jazz)]).toEqual([['Rock'], 1]);
    await stored({ email: 'ann@example.org', tags: dated('Jazz') });
    expect([await tagsOf('ann@example.org'), await countOf(jazz)]).toEqual([['Jazz', 'Rock'], 2]);
  });

  it('cost a few write units however many they are, because a large profile is stored deflated', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `Bought shoes ${String(index).padStart(3, '0')}`);
    await stored({ email: 'many@example.org', tags: dated(...names) });
    const { meter } = service.cloud.gateway;
    meter.reset();
    await stored({ email: 'many@example.org', city: 'Ulm' });
    const spent = meter
      .snapshot()
      .filter(({ caller, kind }) => caller === 'createProfile' && kind === 'profile');
    const units = spent.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
    expect([1, 2, 3]).toContain(units);
    expect(await tagsOf('many@example.org')).toEqual(names);
  });

  it('are removed by text and time, so that the same tag of another time stays', async () => {
    const [first, second] = [dated('Opera', 'Choir'), [{ datetime: '2026-02-02 00:00:00', tag: ['Opera'] }]];
    await stored({ email: 'cid@example.org', tags: [...first, ...second] });
    await stored({ email: 'cid@example.org', remove_tags: first });
    expect(await tagsOf('cid@example.org')).toEqual(['Opera']);
    const opera = await idOf('opera');
    expect(await countOf(opera)).toBe(1);
    await stored({
      email: 'cid@example.org',
      remove_tags: [{ datetime: '2026-02-02T01:00:00+01:00', tag: ['Opera'] }],
    });
    expect([await tagsOf('cid@example.org'), await countOf(opera)]).toEqual([[], 0]);
  });

  it('are not removed by an entry of another form, and nothing else of the record is stored', async () => {
    await stored({ email: 'cat@example.org', tags: dated('Opera') });
    const refused = await post({ email: 'cat@example.org', city: 'Bonn', remove_tags: [{ tag: ['Opera'] }] });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      422,
      { errors: [{ pointer: '/remove_tags/0/datetime', code: 'required' }] },
    ]);
    expect(await tagsOf('cat@example.org')).toEqual(['Opera']);
    const { profile } = await service.client.get(
      at('profile?email=cat@example.org'),
      v.object({ profile: v.looseObject({ city: v.nullable(v.string()) }) }),
    );
    expect(profile.city).toBeNull();
  });

  it('are replaced by a record with the mode, except those of other sources', async () => {
    await importFile(['dan@example.org,Crew,'], await defineImport({}));
    await stored({ email: 'dan@example.org', tags: dated('Folk', 'Soul') });
    const replaced = { email: 'dan@example.org', tags_mode: 'replace', tags: dated('Punk') };
    await stored(replaced);
    expect(await tagsOf('dan@example.org')).toEqual(['Crew', 'Punk']);
    expect(await countOf(await idOf('folk'))).toBe(0);
    await stored({ ...replaced, tags: [] });
    expect(await tagsOf('dan@example.org')).toEqual(['Crew']);
    expect((await post({ ...replaced, tags_mode: 'remove' })).status).toBe(422);
  });

  it('are replaced and removed by the next file of a definition', async () => {
    const definition = await defineImport({ tags_mode: 'replace' });
    await stored({ email: 'eve@example.org', tags: dated('Walks', 'Swims') });
    await importFile(['eve@example.org,Gold;Summer,', 'fay@example.org,Gold,'], definition);
    expect(await tagsOf('eve@example.org')).toEqual(['Gold', 'Summer', 'Swims', 'Walks']);
    await importFile(['eve@example.org,Silver,Walks', 'fay@example.org,,'], definition);
    expect(await tagsOf('eve@example.org')).toEqual(['Silver', 'Swims']);
    expect(await tagsOf('fay@example.org')).toEqual([]);
    expect(await countOf(await idOf('gold'))).toBe(0);
  });
});

it('the segment of a tag is deleted over HTTP once nobody has the tag, and comes back under another id', async () => {
  await stored({ email: 'gil@example.org', tags: dated('Typo') });
  const id = await idOf('typo');
  const remove = async () => service.call('DELETE', at(`segments/${id}`));
  const kept = await remove();
  expect([kept.status, JSON.parse(kept.text)]).toMatchObject([409, { code: 'state_conflict' }]);
  expect(await countOf(id)).toBe(1);
  await stored({ email: 'gil@example.org', remove_tags: ['Typo'] });
  expect((await service.call('DELETE', at(`segments/${id}`), { as: 'other' })).status).toBe(404);
  expect((await remove()).status).toBe(200);
  expect([(await remove()).status, await segmentsNamed('typo')]).toEqual([404, []]);
  await stored({ email: 'gil@example.org', tags: dated('Typo') });
  const again = await idOf('typo');
  expect(again).not.toBe(id);
  expect(await countOf(again)).toBe(1);
});

it('a large file of an access request is behind an address that opens without a token', async () => {
  await stored({ unique_id: 'large', extra_data: { notes: '"'.repeat(150_000) } });
  const path = at('profile/access-request?unique_id=large&redirect=false');
  const { location, expires } = await service.client.get(path, accessLocation);
  expect(Date.parse(expires)).toBeGreaterThan(Date.now());
  const file = await fetch(location);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="access-request-/);
  expect(v.parse(accessAnswer, await file.json()).extra_data['notes']).toHaveLength(150_000);
  expect((await service.call('GET', path, { as: 'other' })).status).toBe(404);
});

it('the file of an access request has the tags, segments and sources of a person, for the own account only', async () => {
  await stored({ email: 'hal@example.org', tags: dated('Mime') });
  const path = at('profile/access-request?email=hal@example.org');
  const { status, text, headers } = await service.call('GET', path);
  expect([status, headers.get('content-disposition')]).toMatchObject([
    200,
    expect.stringMatching(/^attachment; filename="access-request-[\da-f-]{36}\.json"$/),
  ]);
  const file = v.parse(accessAnswer, JSON.parse(text));
  expect(file.segments).toContainEqual({ id: await idOf('mime'), type: 'tag', name: 'Mime' });
  expect(file).toMatchObject({
    profile: { email: 'hal@example.org' },
    tags: [{ tag: 'Mime' }],
    provenance: { tags: [{ tag: 'Mime', source: 'api' }] },
    moments: [],
  });
  expect((await service.call('GET', path, { as: 'other' })).status).toBe(404);
});
