import { keys, padded, type Key } from '../../shared/table/keys.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import type { Attributes } from '../../shared/table/table.ts';

/** An item as a test stores it: its key, and the attribute that names its property where the key cannot. */
export type SampleItem = readonly [Key, Attributes?];

/** An item of each kind that a property has, by the builder of `keys` that makes its key. */
export const itemsOfProperty = (p: number): Readonly<Record<string, SampleItem>> => {
  const id = p * 1_000_000_000 + 7;
  const secret = `secret of ${p}`;
  return {
    task: [keys.task(p, `export-schedule#${p}#${id}#1`), { property: p }],
    listedProperty: [keys.listedProperty(p), { property: p }],
    brandProgress: [keys.brandProgress(p)],
    property: [keys.property(p)],
    rules: [keys.rules(p)],
    counter: [keys.counter(p, 'segment')],
    ordinalTrack: [keys.ordinalTrack(p, 3)],
    enrichers: [keys.enrichers(p)],
    profile: [keys.profile(p, 300)],
    claim: [keys.claim(p, 'email', 'h')],
    phonePointer: [keys.phonePointer(p, 'h', 9)],
    namePointer: [keys.namePointer(p, 'h', { rest: 'h!h', ordinal: 9 })],
    objection: [keys.objection(p, 'h')],
    forgottenPeople: [keys.forgottenPeople(p, 1_700_000_000_000, 9)],
    segment: [keys.segment(p, id)],
    segmentClaim: [keys.segmentClaim(p, 'h')],
    segmentByName: [keys.segmentByName(p, 'h', id)],
    customSegment: [keys.customSegment(p, id)],
    collection: [keys.collection(p, id)],
    reference: [keys.reference(p, { kind: 'segment', id }, { kind: 'export', id })],
    moment: [keys.moment(p, id)],
    touched: [keys.touched(p, 5, 1, 'h')],
    size: [keys.size(p, id)],
    sizes: [keys.sizes(p)],
    sizeList: [keys.sizeList(p, 1, 2)],
    birthdays: [keys.birthdays(p)],
    conditions: [keys.conditions(p)],
    timeline: [keys.timeline(p, id)],
    timelineName: [keys.timelineName(p, 'h')],
    timelineMoment: [keys.timelineMoment(p, id, id)],
    chartLink: [keys.chartLink(secret), { property: p }],
    directory: [keys.directory(p, id)],
    chunk: [keys.chunk(p, id, 1, 2)],
    journal: [keys.journal(9, { property: p, group: 1, time: 1_700_000_000_000, name: 'cause' })],
    drainLease: [keys.drainLease(p, 1)],
    importDefinition: [keys.importDefinition(p, id), { revision: 1 }],
    importRevision: [keys.importRevision(p, id, 1)],
    importJob: [keys.importJob(p, id, id)],
    job: [keys.job(p, id)],
    batch: [keys.batch(p, id, 'uuid')],
    tally: [keys.tally(p, id, 'F00000000')],
    importDelivery: [keys.importDelivery(p, id, 'webhook')],
    reasonSum: [keys.reasonSum(p, id, 'F00000000')],
    slots: [keys.slots(p, id)],
    jobGuard: [keys.jobGuard(p, id)],
    emptiedSegment: [keys.emptiedSegment(p, id, id)],
    restatement: [keys.restatement(p, 1, `${stampOf(1)}#attempt-0`)],
    undoTurn: [keys.undoTurn(p)],
    erasure: [keys.erasure(p, id)],
    file: [keys.file(p, 'h')],
    fileContent: [keys.fileContent(p, 'h')],
    fileResult: [keys.fileResult(p, 'h')],
    exportDefinition: [keys.exportDefinition(p, id), { revision: 2 }],
    exportJob: [keys.exportJob(p, id, id)],
    exportDelivery: [keys.exportDelivery(p, id, id, 'webhook')],
    exportHostKey: [keys.exportHostKey(p, id, 'h')],
    exportUpload: [keys.exportUpload(p, id, id)],
    exportPath: [keys.exportPath(p, id, 'h')],
    exportPart: [keys.exportPart(p, id, id, 1)],
    exportJobDefinition: [keys.exportJobDefinition(p, id, id)],
    mailbox: [keys.mailbox(p, 'h')],
    madeThing: [keys.madeThing(p, 3, 'export#1')],
    mailCount: [keys.mailCount(p, 'notice', 20_000)],
    exportTestCount: [keys.exportTestCount(p, 29_000_000)],
    confirmation: [keys.confirmation(secret), { property: p }],
    download: [keys.download(secret), { property: p }],
    idempotency: [keys.idempotency(secret), { property: p }],
    idempotentId: [keys.idempotentId(p, 'cause', 'segment')],
  };
};

/** An item of each list that release 0.2.0 has instead of tasks. */
export const earlierListsOf = (p: number): Readonly<Record<string, SampleItem>> => ({
  outbox: [{ pk: 'EXPORT-OUTBOX#7', sk: `${padded(p, 10)}#${padded(p * 1_000_000_000 + 7, 16)}#SCHEDULE#1` }],
  watched: [{ pk: 'WATCHED#7', sk: `${padded(p, 10)}#${padded(p * 1_000_000_000 + 7, 16)}` }],
  making: [{ pk: 'MAKING#7', sk: `${padded(p, 10)}#${padded(p * 1_000_000_000 + 7, 16)}` }],
  due: [{ pk: 'DUE#7', sk: `${padded(1_700_000_000_000, 13)}#${padded(p, 10)}#${padded(7, 16)}` }],
});

/** An item of each kind that the service has for itself, by the builder that makes its key. */
export const itemsOfService: Readonly<Record<string, SampleItem>> = {
  serviceCounter: [keys.serviceCounter('brands')],
  exportSlots: [keys.exportSlots],
  allProperties: [keys.allProperties('sizes')],
  brandPointer: [keys.brandPointer],
  brandContent: [keys.brandContent('1', 2)],
  stagedBrands: [keys.stagedBrands(1, 2)],
};

/** Members of `keys` that make no key: parts of one, and partitions of lists. */
export const otherMembers = [
  'properties',
  'tasks',
  'segmentShard',
  'sizeShard',
  'moments',
  'madeThings',
  'objections',
  'journalPartition',
  'journalPrefix',
  'tallies',
  'reasonSums',
  'erasures',
  'exportHostKeys',
];
