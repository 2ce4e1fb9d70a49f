import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { REGION } from '../../local/core/arn.ts';
import { limits } from '../../shared/config/limits.ts';
import { createDynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { dynamoDb } from '../../shared/table/dynamo-calls.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { addCustomSegment } from '../../shared/segments/custom-segments.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { reserveConcurrently, releaseQuota } from '../../shared/catalogue/segment-items.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { withoutBrands } from '../support/brands.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';

const property = 7;
const quota = 'custom';
const limit = limits.segments.customPerProperty;
const user = { id: 1, email: 'ada@example.org', first_name: 'Ada', last_name: 'L' };
const pause = () => Promise.resolve();
const change = (count = 1) => ({ property, quota, count }) as const;
const valueIn = async (table: Table) => (await table.get(keys.counter(property, 'custom-count')))?.['value'];

class Lost extends Error {
  override readonly name = 'TimeoutError';
}

const request = v.object({
  method: v.string(),
  path: v.string(),
  headers: v.record(v.string(), v.string()),
  body: v.instance(Uint8Array),
});

/** An embedded DynamoDB that carries out all writes and loses some of the answers. */
const lossyTable = async () => {
  const db = await createDynamoDb({ kindOf: () => 'item' });
  const key = (name: string) => ({ name, type: 'S' }) as const;
  await db.createTable({ name: 'tidemark', partitionKey: key('pk'), sortKey: key('sk') });
  const lose = { answers: 0 };
  const caller = { accessKeyId: 'AKIAwriter', name: 'writer', principal: 'writer', policy: [] };
  const handle = async (sent: unknown) => {
    const { method, path, headers, body } = v.parse(request, sent);
    const target = headers['x-amz-target'] ?? '';
    const bytes = Buffer.from(body);
    const query = new URLSearchParams();
    const asked = { method, path, query, headers, body: bytes };
    const answer = await db.service.handle(asked, caller);
    if (lose.answers > 0 && /Update|Execute/.test(target)) {
      lose.answers -= 1;
      throw new Lost('carried out, and its answer lost');
    }
    const told = Buffer.from(v.parse(v.string(), answer.body));
    return { response: { statusCode: answer.status, headers: { ...answer.headers }, body: told } };
  };
  const client = dynamoDb({
    region: REGION,
    endpoint: 'http://dynamodb.test',
    credentials: { accessKeyId: 'AKIAwriter', secretAccessKey: 'secret' },
    signer: { sign: (unsigned) => Promise.resolve(unsigned) },
    handler: {
      handle,
    },
  });
  return { db, lose, table: dynamoTable({ client, tableName: 'tidemark', ids: systemIds, pause }) };
};

describe('the quota for segments', () => {
  it('is never exceeded, whichever answers are lost', async () => {
    const { db, lose, table } = await lossyTable();
    const deps = { table, pause };
    let segments = await reserveConcurrently(deps, change(limit));
    expect(segments).toBe(limit);
    lose.answers = 1;
    await releaseQuota(deps, change());
    segments -= 1;
    for (let times = 0; times < 5; times += 1) {
      lose.answers = 1;
      segments += await reserveConcurrently(deps, change());
    }
    expect(segments).toBe(limit);
    expect(await valueIn(table)).toBe(limit);
    await db.close();
  });

  it('is counted once for each release, whichever answers are lost', async () => {
    const { db, lose, table } = await lossyTable();
    await table.put(keys.counter(property, 'custom-count'), { value: 10 });
    for (let times = 0; times < 4; times += 1) {
      lose.answers = 1;
      await releaseQuota({ table, pause }, change());
    }
    expect(await valueIn(table)).toBe(6);
    await db.close();
  });

  it('can be reserved by many writers at once, and is never exceeded when they reach its end together', async () => {
    const table = new MemoryTable();
    const all = { property, quota: 'segment', count: 9 } as const;
    const most = limits.segments.perProperty;
    await table.put(keys.counter(property, 'segment-count'), { value: most - 2_000 });
    const reserve = () => reserveConcurrently({ table, pause }, all);
    const alone = await reserve();
    const together = await Promise.all(Array.from({ length: 200 }, reserve));
    const rest: number[] = [];
    for (let n = 0; n < 40; n += 1) rest.push(await reserve());
    const reserved = [alone, ...together, ...rest].reduce((sum, count) => sum + count, 0);
    expect([together.every((count) => count === 9), reserved]).toEqual([true, 2_000]);
    expect((await table.get(keys.counter(property, 'segment-count')))?.['value']).toBe(most);
  });

  it('is returned in full by a writer that exceeded the limit and then lost a segment to another writer', async () => {
    const table = new MemoryTable();
    const key = keys.counter(property, 'segment-count');
    const most = limits.segments.perProperty;
    await table.put(key, { value: 0 });
    const tag = (name: string) => ({ type: 'tag', path: ['Tags'], name }) as const;
    const other = segmentCatalogue({ ...withoutBrands, table, pause });
    const increment: Table['increment'] = async (counter, by, options) => {
      if (counter.sk === key.sk && counter.pk === key.pk) {
        // Another writer creates one of the two segments. Other writers take all quota except the quota of one segment.
        await other.idsOf(property, [tag('a')]);
        await table.put(key, { value: most - 1 });
      }
      return table.increment(counter, by, options);
    };
    const writer = segmentCatalogue({ ...withoutBrands, table: viewOf(table, { increment }), pause });
    const ids = await writer.idsOf(property, [tag('a'), tag('b')]);
    expect([...ids.keys()]).toEqual([identityKey(tag('a'))]);
    expect((await table.get(key))?.['value']).toBe(most - 1);
  });

  it('is not used up by requests that fail to create a custom segment', async () => {
    const table = new MemoryTable();
    const draft = { name: 'vain', definition: 9, members: 9, moments: [], created: 0, created_by: user };
    const requestIdentity = { property, requestKey: 'request', again: true, now: 0 };
    const custom = { draft, referents: [{ kind: 'segment', id: 9 }], requestIdentity } as const;
    expect(await addCustomSegment({ table, pause }, property, custom)).toMatchObject({
      error: { deleted: [{ id: 9 }] },
    });
    for (const name of ['custom-count', 'segment-count'] as const)
      expect(await table.get(keys.counter(property, name))).toBeUndefined();
  });

  it.each(['custom', 'segment'] as const)(
    'of the kind "%s" that is used up refuses a custom segment',
    async (kind) => {
      const table = new MemoryTable();
      const most = kind === 'custom' ? limit : limits.segments.perProperty;
      await table.put(keys.counter(property, `${kind}-count`), { value: most });
      const draft = { name: 'one', definition: 9, members: 9, moments: [], created: 0, created_by: user };
      const requestIdentity = { property, requestKey: 'request', again: false, now: 0 };
      const made = await addCustomSegment({ table, pause }, property, {
        draft,
        referents: [],
        requestIdentity,
      });
      expect(made).toMatchObject({ error: 'segment_limit' });
    },
  );
});
