/**
 * Cost of a page of a segment: `node bench/probes/segments.ts [profiles]`. Builds a property with 50 segments directly in the
 * embedded table, then reads pages of 1,000 through the gateway and prints the meter's counts for each: segments of all
 * sizes, one segment without another, and three combined. The cost of a page must not grow with the segment.
 */
import * as v from 'valibot';
import { count, table as printTable } from '../../cli/terminal.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { profileItem } from '../../shared/profiles/stored-profile.ts';
import { noRules, rulesOf } from '../../shared/properties/rules.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { batchesOf } from '../../shared/runtime/pool.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { bitsOf, encodeChunk } from '../../shared/membership/chunk.ts';
import { createSegment } from '../../shared/segments/create-segment.ts';
import { directoryWriter } from '../../shared/membership/directory.ts';
import { everyoneId, identityKey } from '../../shared/catalogue/identity.ts';
import { listSegmentProfiles } from '../../shared/segments/list-segment-profiles.ts';
import { segmentProfilesQuery } from '../../shared/segments/schemas.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { toAttributeValues } from '../../shared/table/attribute-values.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import { chunkOf, groupOf, keys, ORDINALS_PER_CHUNK } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Table, Write } from '../../shared/table/table.ts';
import { cachedBrandVersions } from '../../shared/catalogue/brand-versions.ts';
import { openBareTable } from '../support/bare-table.ts';

const TABLE = 'bench';
const property = 1;
const NOW = Date.UTC(2026, 0, 15);
const profiles = Number(process.argv[2] ?? 1_000_000);

await using bare = await openBareTable(TABLE);
const dynamo = dynamoTable({ client: bare.client, tableName: TABLE, ids: systemIds, pause: jitteredPause });

/** Chunk items read since the last call. */
let chunksRead = 0;
const table: Table = {
  ...dynamo,
  query: async (pk, range) => {
    const page = await dynamo.query(pk, range);
    if (kindOfKey(pk) === 'chunk') chunksRead += page.items.length;
    return page;
  },
  getMany: async (wanted) => {
    const items = await dynamo.getMany(wanted);
    chunksRead += items.filter((item) => item && kindOfKey(item.pk) === 'chunk').length;
    return items;
  },
};
const clock = () => Date.now();
const around = { clock, brands: cachedBrandVersions({ table, clock }), pause: () => Promise.resolve() };
const catalogue = segmentCatalogue({ table, ...around });
const secret = (fill: number, length: number): Uint8Array => new Uint8Array(length).fill(fill);
const scope: PropertyScope = {
  id: property,
  rules: rulesOf(noRules),
  keys: {
    uuid: { k1: secret(1, 16), k2: secret(2, 16) },
    claims: secret(3, 32),
    cursors: secret(4, 32),
    downloads: secret(5, 32),
    externalIds: secret(7, 32),
    tokens: secret(6, 32),
    charts: secret(7, 32),
  },
};

/** A segment of the bench: its name and its members, by ordinal. */
type Membership = readonly [name: string, holds: (ordinal: number) => boolean];

const every = (step: number): Membership => [
  `${count(profiles / step)} spread`,
  (ordinal) => ordinal % step === 0,
];
const half = profiles / 2;
const neighbours = (size: number): Membership => [
  `${count(size)} neighbours`,
  (ordinal) => ordinal >= half - size / 2 && ordinal < half + size / 2,
];
const measured = [every(1), every(10), every(100), neighbours(profiles / 100), neighbours(profiles / 10)];
const halves: readonly Membership[] = [
  ['odd', (ordinal) => ordinal % 2 === 1],
  ['thirds', (ordinal) => ordinal % 3 === 0],
];

/** The rest of the 50 segments, from a few per mille of the people to almost all. */
const others = Array.from({ length: 49 - measured.length - halves.length }, (_, n): Membership => {
  const share = (n + 1) / 45;
  return [
    `other ${n}`,
    (ordinal) => ((ordinal * 2_654_435_761 + n * 40_503) % 4_294_967_296) / 4_294_967_296 < share,
  ];
});

/** Writes items directly into the engine. */
const insertAll = async (writes: Iterable<Extract<Write, { kind: 'insert' }>>): Promise<void> => {
  const statement = (names: readonly string[]): string =>
    `INSERT INTO "${TABLE}" VALUE {${names.map((name) => `'${name}':?`).join(', ')}}`;
  for (const batch of batchesOf(writes, 25)) {
    await bare.engine.call('BatchExecuteStatement', {
      Statements: batch.map(({ key, set }) => {
        const item = toAttributeValues({ ...key, w: systemIds.nonce(), ...set });
        return {
          Statement: statement(Object.keys(item)),
          Parameters: Object.values(item).map((value) =>
            value.B ? { B: Buffer.from(value.B).toString('base64') } : value,
          ),
        };
      }),
    });
  }
};

function* profileWrites(): Generator<Extract<Write, { kind: 'insert' }>> {
  const values = { first_name: 'Ada', last_name: 'Lovelace', city: 'London', street: '12 St James Square' };
  const origin = { tier: 1, stamp: stampOf(NOW, 0), origin: 'import:1' };
  for (let ordinal = 0; ordinal < profiles; ordinal += 1) {
    const group = { ...origin, values: { ...values, email: `p${ordinal}@example.org` } };
    const set = profileItem(JSON.stringify([group]), NOW);
    yield { kind: 'insert', key: keys.profile(property, ordinal), set };
  }
}

function* chunkWrites(segment: number, holds: Membership[1]): Generator<Extract<Write, { kind: 'insert' }>> {
  for (let base = 0; base < profiles; base += ORDINALS_PER_CHUNK) {
    const offsets: number[] = [];
    const end = Math.min(ORDINALS_PER_CHUNK, profiles - base);
    for (let offset = 0; offset < end; offset += 1) if (holds(base + offset)) offsets.push(offset);
    const key = keys.chunk(property, segment, groupOf(base), chunkOf(base));
    if (offsets.length > 0) yield { kind: 'insert', key, set: { members: encodeChunk(bitsOf(offsets)) } };
  }
}

/** Creates a segment with its directory and chunks; returns its id. */
const buildSegment = async ([name, holds]: Membership): Promise<number> => {
  const identity = { type: 'tag', path: ['Tags'], name } as const;
  const id = (await catalogue.idsOf(property, [identity])).get(identityKey(identity)) ?? 0;
  await fillSegment(id, holds);
  return id;
};

const fillSegment = async (id: number, holds: Membership[1]): Promise<void> => {
  const writes = [...chunkWrites(id, holds)];
  const groups = new Set(writes.map(({ key }) => Number(key.pk.split('#').at(-1))));
  await directoryWriter({ table, pause: jitteredPause }).ensure(property, new Map([[id, groups]]));
  await insertAll(writes);
};

const user = { id: 1, email: 'bench@example.org', first_name: 'B', last_name: 'M' };
const requestOf = { requestId: 'r', now: NOW, user, requestKey: 'c', property: { id: property, account: 1 } };

const makeCustom = async (name: string, definition: SegmentExpression): Promise<number> => {
  const deps = { table, catalogue, ids: systemIds, pause: jitteredPause };
  const body = { name, definition };
  const answer = await createSegment(deps, { ...requestOf, path: {}, query: {}, body });
  if (!answer.ok) throw new Error(answer.error.code);
  return v.parse(v.looseObject({ id: v.number() }), answer.value.body).id;
};

const kinds = ['chunk', 'directory', 'profile', 'segment'] as const;

/** Read units by kind since the last call, and their sum. */
const spent = (): Record<(typeof kinds)[number] | 'all' | 'requests', number> => {
  const sums = { chunk: 0, directory: 0, profile: 0, segment: 0, all: 0, requests: 0 };
  for (const { kind, readUnits, calls } of bare.meter.snapshot()) {
    sums.all += readUnits;
    if (kind === 'request') sums.requests += calls;
    for (const one of kinds) if (kind === one) sums[one] += readUnits;
  }
  return sums;
};

const useCase = () => (asked: Parameters<typeof listSegmentProfiles>[1]) =>
  listSegmentProfiles(
    {
      table,
      catalogue: segmentCatalogue({ table, ...around }),
      readProfiles: profileRepository({ table }).readEach,
      scopeOf: () => Promise.resolve(scope),
      baseUrl: 'https://tidemark.test',
    },
    asked,
  );

/** Reads a page with cold caches, and prints its cost. */
const measurePage = async (
  name: string,
  segment: number,
  where: number,
  not?: number,
): Promise<[string, string]> => {
  const page = where === 0 ? {} : { page: sealOrdinal(scope.keys.uuid, Math.floor(where * profiles)) };
  const query = v.parse(segmentProfilesQuery, {
    ...page,
    ...(not === undefined ? {} : { not: String(not) }),
  });
  bare.meter.reset();
  chunksRead = 0;
  const answer = await useCase()({
    ...requestOf,
    path: { segment_id: String(segment) },
    query,
    body: undefined,
  });
  if (!answer.ok) throw new Error(answer.error.code);
  const { paging } = v.parse(segmentProfilesAnswer, answer.value.body);
  const { chunk, directory, profile, segment: catalogued, all, requests } = spent();
  const figures = [paging.count, requests, chunksRead, chunk, directory, catalogued, profile, all];
  const shown = figures.map((figure) =>
    figure.toLocaleString('en', { maximumFractionDigits: 1 }).padStart(10),
  );
  return [`${name}, from ${where * 100} %`, shown.join('')];
};

console.log(`building ${count(profiles)} profiles in 50 segments`);
await insertAll(profileWrites());
await fillSegment(everyoneId(property), () => true);
const ids = new Map<string, number>();
for (const one of [...measured, ...halves, ...others]) ids.set(one[0], await buildSegment(one));
const idOf = (name: string): number => ids.get(name) ?? everyoneId(property);
const places = [0, 0.25, 0.5, 0.75, 0.995];
const lines: [string, string][] = [];
for (const [name] of measured) {
  for (const where of name.endsWith('neighbours') ? [0, 0.5] : places)
    lines.push(await measurePage(name, idOf(name), where));
}
for (const [name] of measured.slice(0, 3)) {
  for (const where of places)
    lines.push(await measurePage(`${name} not odd`, idOf(name), where, idOf('odd')));
}
for (const [name] of measured.slice(0, 3)) {
  const three = await makeCustom(name, {
    all: [idOf(name), { any: [idOf('odd'), idOf('thirds')] }],
  });
  for (const where of places) lines.push(await measurePage(`${name} and (odd or thirds)`, three, where));
}
const heads = ['profiles', 'requests', 'chunks', 'chunk RU', 'dir. RU', 'segm. RU', 'profile RU', 'all RU'];
printTable([['', heads.map((head) => head.padStart(10)).join('')], ...lines]);
