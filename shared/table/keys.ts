/**
 * Every key of the table of data. `credential-keys.ts` and `request-keys.ts` have the keys of the other
 * tables. Only these files build keys; user text enters a key only as a hash. Keys of a property (tenant) contain its id,
 * except `DOWNLOAD#sha256`, `CHART#sha256`, `CONFIRMATION#sha256` and `IDEM#sha256`: the hash of a secret, or of an account
 * and a key of its client, leads to an item that names the property.
 *
 * | item                        | pk                          | sk                          |
 * |-----------------------------|-----------------------------|-----------------------------|
 * | service counter             | COUNTERS                    | name                        |
 * | job over all properties     | JOBS                        | name                        |
 * | task: unfinished work       | TASKS#0..15                 | kind#p#ids                  |
 * | property in the list of all | PROPERTIES                  | p                           |
 * | brand versions in use       | BRANDS                      | VERSIONS                    |
 * | content of a brand version  | BRANDS#name                 | part                        |
 * | staged part of a version    | BRANDS#STAGED#version       | part                        |
 * | brand version in a property | P#p                         | BRANDS                      |
 * | property                    | P#p                         | PROPERTY                    |
 * | rules of the property       | P#p                         | RULES                       |
 * | property counter            | P#p                         | COUNTER#name                |
 * | track of ordinals           | P#p                         | COUNTER#ordinal#track       |
 * | enrichers                   | P#p                         | ENRICHERS                   |
 * | profile                     | P#p#B#block                 | offset                      |
 * | identity claim              | P#p#I#kind#hash             | CLAIM                       |
 * | pointer from a phone number | P#p#PHONE#hash              | ordinal                     |
 * | pointer from a last name    | P#p#NAME#hash#shard         | hashes!hashes!ordinal       |
 * | objection, by its id        | P#p#OBJECTIONS              | keyed hash                  |
 * | forgotten people            | P#p#FORGOTTEN               | time#ordinal                |
 * | segment                     | P#p#SEGMENTS#shard          | id                          |
 * | segment name claim          | P#p#SN#hash                 | CLAIM                       |
 * | segments found by name      | P#p#SNAME#hash              | id                          |
 * | custom segment (current)    | P#p#CUSTOM                  | id                          |
 * | conditions of the property  | P#p                         | CONDITIONS                  |
 * | collection                  | P#p#COLLECTIONS             | id                          |
 * | reference to a referent     | P#p#REFS#kind#id            | kind#id of the referrer     |
 * | moment, by its segment      | P#p#MOMENTS                 | id                          |
 * | timeline                    | P#p#TIMELINES               | id                          |
 * | timeline's name claim       | P#p#TN#hash                 | CLAIM                       |
 * | timeline's moment           | P#p#T#t                     | MOMENT#segment              |
 * | link to a chart             | CHART#sha256                | CHART                       |
 * | membership directory        | P#p#M#segment               | DIRECTORY                   |
 * | membership chunk            | P#p#M#segment#group         | chunk                       |
 * | index changes to be counted | P#p#TOUCHED#bucket#shard    | hash                        |
 * | sizes of segments: measured | P#p#SIZES#shard             | segment                     |
 * | sizes of segments: progress | P#p                         | SIZES                       |
 * | sizes of segments: list     | P#p#SIZES#LIST#version      | page                        |
 * | progress of birthday job    | P#p                         | BIRTHDAYS                   |
 * | journal entry               | J#0..63                     | property#group#time#attempt |
 * | lease of draining requests  | P#p#DRAIN#group             | LEASE                       |
 * | import definition           | P#p#IMPORTS                 | id                          |
 * | earlier revision of it      | P#p#IMPORT#i#REVISIONS      | revision                    |
 * | import job                  | P#p#IMPORT#i                | JOB#j                       |
 * | job's definition (by job)   | P#p#JOB#j                   | JOB                         |
 * | batch result                | P#p#JOB#j                   | BATCH#uuid                  |
 * | sums over 256 batches       | P#p#JOB#j#TALLIES           | name                        |
 * | reasons of 8,192 batches    | P#p#JOB#j#REASONS           | name                        |
 * | announcement of a job's end | P#p#JOB#j                   | DELIVERY#kind               |
 * | slots of batches            | P#p#JOB#j                   | SLOTS                       |
 * | guard of a job              | P#p#JOB#j                   | GUARD                       |
 * | turn of undos               | P#p                         | UNDO                        |
 * | erasure                     | P#p#ERASURES                | id                          |
 * | restatements of people      | P#p#RESTATED#block          | stamp#attempt-part          |
 * | segment left by an undo     | P#p#JOB#j#EMPTIED           | segment                     |
 * | file claim                  | P#p#FILE#hash               | CLAIM                       |
 * | latest file of some content | P#p#FILE#hash               | CONTENT                     |
 * | export definition           | P#p#EXPORTS                 | id                          |
 * | export job                  | P#p#EXPORT#e                | JOB#j                       |
 * | export delivery             | P#p#EXPORT#e                | DELIVERY#j#kind             |
 * | host key of an SFTP server  | P#p#EXPORT#e                | HOSTKEY#hash                |
 * | upload to a client's bucket | P#p#EXPORT#e                | UPLOAD#j                    |
 * | path of files of an export  | P#p#EXPORT#e                | PATH#hash                   |
 * | part of an export           | P#p#EXPORT#e#PARTS#j        | shard                       |
 * | definition of an export job | P#p#EXPORT#e                | DEFINITION#j                |
 * | running export jobs         | EXPORT-SLOTS                | SLOTS                       |
 * | download capability         | DOWNLOAD#sha256             | DOWNLOAD                    |
 * | address for notices         | P#p#MAILBOX#hash            | MAILBOX                     |
 * | mails of a day              | P#p#MAILS#kind#day          | MAILS                       |
 * | tests of exports, a minute  | P#p#EXPORTTESTS#minute      | EXPORTTESTS                 |
 * | confirmation link           | CONFIRMATION#sha256         | CONFIRMATION                |
 * | thing that a user has made  | P#p#USER#u                  | kind#id                     |
 * | idempotency record          | IDEM#sha256                 | IDEM                        |
 * | id allocated for a request  | P#p#REQUEST#requestKey      | name of the entity          |
 */

/** Primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Pads an integer for a sort key, so that the order of strings is the order of numbers. */
export const padded = (value: number, digits: number): string => value.toString().padStart(digits, '0');

/** Ordinals of 256 neighbours share a partition, so that a dense read is one Query. */
export const PROFILES_PER_BLOCK = 256;

/** Ordinals of one membership chunk. */
export const ORDINALS_PER_CHUNK = 4096;

/** Chunks of one membership group, the unit of partitioning and of draining. */
export const CHUNKS_PER_GROUP = 64;

/** Ordinals of one membership group. */
export const ORDINALS_PER_GROUP = ORDINALS_PER_CHUNK * CHUNKS_PER_GROUP;

/** Partitions of the journal; the sweep reads all of them. */
export const JOURNAL_PARTITIONS = 64;

/** Partitions of the tasks; the reconciliation reads all of them every minute. */
export const TASK_PARTITIONS = 16;

/** Partitions of the changes in one time bucket of a property's index. */
export const TOUCH_SHARDS = 4;

/**
 * Partitions of the pointers from last names with the same first letters. At 10,000 new people a second of whom four in ten
 * have one name, each gets 500.
 */
export const NAME_SHARDS = 8;

/** Where a pointer from a last name is, below the first letters: hashes, and the person that it leads to. */
export interface NamePlace {
  readonly rest: string;
  readonly ordinal: number;
}

/** Partitions of a property's list of segments, and of their sizes. */
export const SEGMENT_SHARDS = 16;

/** The number of the block that an ordinal is in. */
export const blockOf = (ordinal: number): number => Math.floor(ordinal / PROFILES_PER_BLOCK);
export const groupOf = (ordinal: number): number => Math.floor(ordinal / ORDINALS_PER_GROUP);
export const chunkOf = (ordinal: number): number =>
  Math.floor(ordinal / ORDINALS_PER_CHUNK) % CHUNKS_PER_GROUP;
export const offsetInChunk = (ordinal: number): number => ordinal % ORDINALS_PER_CHUNK;

/** The partition of pointers from last names with the same first letters. */
export const nameShard = (property: number, head: string, shard: number): string =>
  `P#${property}#NAME#${head}#${shard}`;

export const keys = {
  serviceCounter: (name: (typeof serviceCounters)[number]): Key => ({ pk: 'COUNTERS', sk: name }),
  allProperties: (job: string): Key => ({ pk: 'JOBS', sk: job }),
  task: (property: number, name: string): Key => ({ pk: keys.tasks(property % TASK_PARTITIONS), sk: name }),
  tasks: (partition: number): string => `TASKS#${partition}`,
  listedProperty: (property: number): Key => ({ pk: keys.properties, sk: padded(property, 10) }),
  properties: 'PROPERTIES',
  brandPointer: { pk: 'BRANDS', sk: 'VERSIONS' },
  brandContent: (name: string, part: number): Key => ({ pk: `BRANDS#${name}`, sk: padded(part, 4) }),
  stagedBrands: (version: number, part: number): Key => ({
    pk: `BRANDS#STAGED#${version}`,
    sk: padded(part, 4),
  }),
  brandProgress: (property: number): Key => ({ pk: `P#${property}`, sk: 'BRANDS' }),
  property: (property: number): Key => ({ pk: `P#${property}`, sk: 'PROPERTY' }),
  rules: (property: number): Key => ({ pk: `P#${property}`, sk: 'RULES' }),
  counter: (property: number, name: CounterName): Key => ({ pk: `P#${property}`, sk: `COUNTER#${name}` }),
  ordinalTrack: (property: number, track: number): Key => ({
    pk: `P#${property}`,
    sk: `COUNTER#ordinal#${padded(track, 2)}`,
  }),
  enrichers: (property: number): Key => ({ pk: `P#${property}`, sk: 'ENRICHERS' }),
  profile: (property: number, ordinal: number): Key => ({
    pk: `P#${property}#B#${blockOf(ordinal)}`,
    sk: padded(ordinal % PROFILES_PER_BLOCK, 3),
  }),
  claim: (property: number, kind: IdentityKind, hash: string): Key => ({
    pk: `P#${property}#I#${kind}#${hash}`,
    sk: 'CLAIM',
  }),
  phonePointer: (property: number, hash: string, ordinal: number): Key => ({
    pk: `P#${property}#PHONE#${hash}`,
    sk: padded(ordinal, 16),
  }),
  /** `head` is the hash of the first letters of a name, `rest` the hashes of more letters and of the town. */
  namePointer: (property: number, head: string, { rest, ordinal }: NamePlace): Key => ({
    pk: nameShard(property, head, ordinal % NAME_SHARDS),
    sk: `${rest}!${padded(ordinal, 16)}`,
  }),
  objection: (property: number, id: string): Key => ({ pk: keys.objections(property), sk: id }),
  objections: (property: number): string => `P#${property}#OBJECTIONS`,
  forgottenPeople: (property: number, time: number, ordinal: number): Key => ({
    pk: `P#${property}#FORGOTTEN`,
    sk: `${padded(time, 13)}#${padded(ordinal, 16)}`,
  }),
  segment: (property: number, segment: number): Key => ({
    pk: `P#${property}#SEGMENTS#${segment % SEGMENT_SHARDS}`,
    sk: padded(segment, 16),
  }),
  segmentShard: (property: number, shard: number): string => `P#${property}#SEGMENTS#${shard}`,
  segmentClaim: (property: number, hash: string): Key => ({ pk: `P#${property}#SN#${hash}`, sk: 'CLAIM' }),
  segmentByName: (property: number, hash: string, segment: number): Key => ({
    pk: `P#${property}#SNAME#${hash}`,
    sk: padded(segment, 16),
  }),
  customSegment: (property: number, segment: number): Key => ({
    pk: `P#${property}#CUSTOM`,
    sk: padded(segment, 16),
  }),
  collection: (property: number, id: number): Key => ({
    pk: `P#${property}#COLLECTIONS`,
    sk: padded(id, 16),
  }),
  reference: (property: number, referent: Named<ReferentKind>, referrer: Named<ReferrerKind>): Key => ({
    pk: `P#${property}#REFS#${referent.kind}#${referent.id}`,
    sk: `${referrer.kind}#${padded(referrer.id, 16)}`,
  }),
  moment: (property: number, segment: number): Key => ({
    pk: keys.moments(property),
    sk: padded(segment, 16),
  }),
  touched: (property: number, bucket: number, shard: number, hash: string): Key => ({
    pk: `P#${property}#TOUCHED#${bucket}#${shard}`,
    sk: hash,
  }),
  size: (property: number, segment: number): Key => ({
    pk: keys.sizeShard(property, segment % SEGMENT_SHARDS),
    sk: padded(segment, 16),
  }),
  sizeShard: (property: number, shard: number): string => `P#${property}#SIZES#${shard}`,
  sizes: (property: number): Key => ({ pk: `P#${property}`, sk: 'SIZES' }),
  sizeList: (property: number, version: number, page: number): Key => ({
    pk: `P#${property}#SIZES#LIST#${version}`,
    sk: padded(page, 6),
  }),
  birthdays: (property: number): Key => ({ pk: `P#${property}`, sk: 'BIRTHDAYS' }),
  conditions: (property: number): Key => ({ pk: `P#${property}`, sk: 'CONDITIONS' }),
  moments: (property: number): string => `P#${property}#MOMENTS`,
  timeline: (property: number, id: number): Key => ({
    pk: `P#${property}#TIMELINES`,
    sk: padded(id, 16),
  }),
  timelineName: (property: number, hash: string): Key => ({ pk: `P#${property}#TN#${hash}`, sk: 'CLAIM' }),
  timelineMoment: (property: number, timeline: number, segment: number): Key => ({
    pk: `P#${property}#T#${timeline}`,
    sk: `MOMENT#${padded(segment, 16)}`,
  }),
  chartLink: (sha256: string): Key => ({ pk: `CHART#${sha256}`, sk: 'CHART' }),
  directory: (property: number, segment: number): Key => ({
    pk: `P#${property}#M#${segment}`,
    sk: 'DIRECTORY',
  }),
  chunk: (property: number, segment: number, group: number, chunk: number): Key => ({
    pk: `P#${property}#M#${segment}#${group}`,
    sk: padded(chunk, 2),
  }),
  journal: (partition: number, { property, group, time, name }: JournalSort): Key => ({
    pk: keys.journalPartition(partition),
    sk: `${keys.journalPrefix(property, group)}${padded(time, 13)}#${name}`,
  }),
  drainLease: (property: number, group: number): Key => ({
    pk: `P#${property}#DRAIN#${group}`,
    sk: 'LEASE',
  }),
  journalPartition: (partition: number): string => `J#${partition}`,
  journalPrefix: (property: number, group?: number): string =>
    group === undefined ? `${padded(property, 10)}#` : `${padded(property, 10)}#${padded(group, 6)}#`,
  importDefinition: (property: number, id: number): Key => ({
    pk: `P#${property}#IMPORTS`,
    sk: padded(id, 16),
  }),
  importRevision: (property: number, importId: number, revision: number): Key => ({
    pk: `P#${property}#IMPORT#${importId}#REVISIONS`,
    sk: padded(revision, 10),
  }),
  importJob: (property: number, importId: number, job: number): Key => ({
    pk: `P#${property}#IMPORT#${importId}`,
    sk: `JOB#${padded(job, 16)}`,
  }),
  job: (property: number, job: number): Key => ({ pk: `P#${property}#JOB#${job}`, sk: 'JOB' }),
  batch: (property: number, job: number, uuid: string): Key => ({
    pk: `P#${property}#JOB#${job}`,
    sk: `BATCH#${uuid}`,
  }),
  tally: (property: number, job: number, name: string): Key => ({
    pk: keys.tallies(property, job),
    sk: name,
  }),
  tallies: (property: number, job: number): string => `P#${property}#JOB#${job}#TALLIES`,
  importDelivery: (property: number, job: number, kind: string): Key => ({
    pk: `P#${property}#JOB#${job}`,
    sk: `DELIVERY#${kind}`,
  }),
  reasonSum: (property: number, job: number, name: string): Key => ({
    pk: keys.reasonSums(property, job),
    sk: name,
  }),
  reasonSums: (property: number, job: number): string => `P#${property}#JOB#${job}#REASONS`,
  slots: (property: number, job: number): Key => ({ pk: `P#${property}#JOB#${job}`, sk: 'SLOTS' }),
  jobGuard: (property: number, job: number): Key => ({ pk: `P#${property}#JOB#${job}`, sk: 'GUARD' }),
  emptiedSegment: (property: number, job: number, segment: number): Key => ({
    pk: `P#${property}#JOB#${job}#EMPTIED`,
    sk: padded(segment, 16),
  }),
  restatement: (property: number, block: number, sk: string): Key => ({
    pk: `P#${property}#RESTATED#${block}`,
    sk,
  }),
  undoTurn: (property: number): Key => ({ pk: `P#${property}`, sk: 'UNDO' }),
  erasure: (property: number, id: number): Key => ({ pk: keys.erasures(property), sk: padded(id, 16) }),
  erasures: (property: number): string => `P#${property}#ERASURES`,
  file: (property: number, hash: string): Key => ({ pk: `P#${property}#FILE#${hash}`, sk: 'CLAIM' }),
  fileContent: (property: number, hash: string): Key => ({
    pk: `P#${property}#FILE#${hash}`,
    sk: 'CONTENT',
  }),
  fileResult: (property: number, hash: string): Key => ({ pk: `P#${property}#FILE#${hash}`, sk: 'RESULT' }),
  exportDefinition: (property: number, id: number): Key => ({
    pk: `P#${property}#EXPORTS`,
    sk: padded(id, 16),
  }),
  exportJob: (property: number, exportId: number, job: number): Key => ({
    pk: `P#${property}#EXPORT#${exportId}`,
    sk: `JOB#${padded(job, 16)}`,
  }),
  exportDelivery: (property: number, exportId: number, job: number, kind: string): Key => ({
    pk: `P#${property}#EXPORT#${exportId}`,
    sk: `DELIVERY#${padded(job, 16)}#${kind}`,
  }),
  exportHostKey: (property: number, exportId: number, hash: string): Key => ({
    pk: `P#${property}#EXPORT#${exportId}`,
    sk: `${keys.exportHostKeys}${hash}`,
  }),
  exportHostKeys: 'HOSTKEY#',
  exportUpload: (property: number, exportId: number, job: number): Key => ({
    pk: `P#${property}#EXPORT#${exportId}`,
    sk: `UPLOAD#${padded(job, 16)}`,
  }),
  exportPath: (property: number, exportId: number, hash: string): Key => ({
    pk: `P#${property}#EXPORT#${exportId}`,
    sk: `PATH#${hash}`,
  }),
  exportPart: (property: number, exportId: number, job: number, shard: number): Key => ({
    pk: `P#${property}#EXPORT#${exportId}#PARTS#${job}`,
    sk: padded(shard, 4),
  }),
  exportJobDefinition: (property: number, exportId: number, job: number): Key => ({
    pk: `P#${property}#EXPORT#${exportId}`,
    sk: `DEFINITION#${padded(job, 16)}`,
  }),
  exportSlots: { pk: 'EXPORT-SLOTS', sk: 'SLOTS' },
  mailbox: (property: number, hash: string): Key => ({ pk: `P#${property}#MAILBOX#${hash}`, sk: 'MAILBOX' }),
  exportTestCount: (property: number, minute: number): Key => ({
    pk: `P#${property}#EXPORTTESTS#${minute}`,
    sk: 'EXPORTTESTS',
  }),
  mailCount: (property: number, kind: string, day: number): Key => ({
    pk: `P#${property}#MAILS#${kind}#${day}`,
    sk: 'MAILS',
  }),
  confirmation: (sha256: string): Key => ({ pk: `CONFIRMATION#${sha256}`, sk: 'CONFIRMATION' }),
  download: (sha256: string): Key => ({ pk: `DOWNLOAD#${sha256}`, sk: 'DOWNLOAD' }),
  madeThing: (property: number, user: number, name: string): Key => ({
    pk: keys.madeThings(property, user),
    sk: name,
  }),
  madeThings: (property: number, user: number): string => `P#${property}#USER#${user}`,
  idempotency: (hash: string): Key => ({ pk: `IDEM#${hash}`, sk: 'IDEM' }),
  idempotentId: (property: number, requestKey: string, what: string): Key => ({
    pk: `P#${property}#REQUEST#${requestKey}`,
    sk: what,
  }),
};

/**
 * Parts of the sort key of a journal entry: its place in the index, its creation time (epoch ms) and the
 * attempt that wrote it.
 */
interface JournalSort {
  readonly property: number;
  readonly group: number;
  readonly time: number;
  readonly name: string;
}

/** Kinds of item that are deleted only while no referrer names them. */
export type ReferentKind = 'segment' | 'collection';

/** Kinds of item that name referents. */
export type ReferrerKind = 'segment' | 'collection' | 'export' | 'timeline';

/** A referent or a referrer by its id. */
export interface Named<Kind> {
  readonly kind: Kind;
  readonly id: number;
}

/** Kinds of identity, strongest first: the order in which claims are made and owners are chosen. */
export const identityKinds = ['unique_id', 'email', 'social_id'] as const;
export type IdentityKind = (typeof identityKinds)[number];

/** The counters of a property that give out ids and ordinals. After a restore an operator raises each of them. */
export const idCounters = [
  'ordinal',
  'segment',
  'collection',
  'import',
  'import-job',
  'export',
  'export-job',
  'timeline',
  'erasure',
] as const;

/** The numbers of things that a property has. They are true in a restored table. */
type CountName = 'segment-count' | 'custom-count';

/** Counters of a property. */
export type CounterName = (typeof idCounters)[number] | CountName;

/** The counters of the service in the table of data. All give out numbers. */
export const serviceCounters = ['brands'] as const;
