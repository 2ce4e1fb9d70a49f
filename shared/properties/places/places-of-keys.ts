/** Places of keys: the place of each kind of item, by the builder of its key. */
import type { auditKeys, rateKeys } from '../../table/request-keys.ts';
import type { credentialKeys } from '../../table/credential-keys.ts';
import type { Key, keys } from '../../table/keys.ts';
import type { ItemPlace } from './item-places.ts';

/** The members of a list of keys that are keys or builders of keys, not parts of keys. */
type Builders<Keys> = {
  [Name in keyof Keys]: Keys[Name] extends Key | ((...parts: never[]) => Key) ? Name : never;
}[keyof Keys];
type PlaceOfEach<Keys> = Readonly<Record<Builders<Keys>, ItemPlace>>;

/** The place of each kind of item in the table of data, by the builder of its key. */
export const placesInData: PlaceOfEach<typeof keys> = {
  serviceCounter: 'counts',
  allProperties: 'counts',
  task: 'counts',
  listedProperty: 'settings',
  brandPointer: 'settings',
  brandContent: 'settings',
  stagedBrands: 'settings',
  brandProgress: 'counts',
  property: 'settings',
  rules: 'counts',
  counter: 'counts',
  ordinalTrack: 'counts',
  enrichers: 'settings',
  profile: 'profiles',
  claim: 'claims',
  phonePointer: 'phones',
  namePointer: 'names',
  segment: 'segments',
  segmentClaim: 'segments',
  segmentByName: 'segments',
  customSegment: 'segments',
  collection: 'segments',
  reference: 'segments',
  emptiedSegment: 'segments',
  moment: 'timelines',
  timeline: 'timelines',
  timelineName: 'timelines',
  timelineMoment: 'timelines',
  chartLink: 'timelines',
  touched: 'counts',
  size: 'counts',
  sizes: 'counts',
  sizeList: 'counts',
  birthdays: 'counts',
  conditions: 'settings',
  directory: 'index',
  chunk: 'index',
  journal: 'journal',
  drainLease: 'counts',
  importDefinition: 'importDefinitions',
  importRevision: 'importDefinitions',
  importJob: 'importJobs',
  job: 'importJobs',
  batch: 'importJobs',
  tally: 'importJobs',
  reasonSum: 'importJobs',
  importDelivery: 'importJobs',
  slots: 'importJobs',
  jobGuard: 'importJobs',
  undoTurn: 'counts',
  erasure: 'erasures',
  restatement: 'restatements',
  file: 'importJobs',
  fileContent: 'importJobs',
  fileResult: 'importJobs',
  exportDefinition: 'exportDefinitions',
  exportJobDefinition: 'exportDefinitions',
  exportHostKey: 'exportDefinitions',
  objection: 'objections',
  forgottenPeople: 'forgotten',
  exportJob: 'exportJobs',
  exportDelivery: 'exportJobs',
  exportUpload: 'exportJobs',
  exportPath: 'exportJobs',
  exportPart: 'exportJobs',
  exportSlots: 'exportJobs',
  download: 'exportJobs',
  madeThing: 'counts',
  mailbox: 'addresses',
  confirmation: 'addresses',
  mailCount: 'counts',
  exportTestCount: 'counts',
  idempotency: 'keptAnswers',
  idempotentId: 'keptAnswers',
};

/** The place of each kind of item in the table of credentials. */
export const placesInCredentials: PlaceOfEach<typeof credentialKeys> = {
  account: 'accounts',
  accountProperty: 'accounts',
  accountUser: 'accounts',
  property: 'accounts',
  client: 'accounts',
  user: 'accounts',
  userToken: 'tokens',
  token: 'tokens',
  loginFailures: 'tokens',
  counter: 'counts',
};

/** The place of each kind of item in the table of the audit log. */
export const placesInAuditLog: PlaceOfEach<typeof auditKeys> = {
  entry: 'auditLog',
  later: 'auditLog',
  forgetting: 'forgettings',
  objection: 'forgettings',
};

/** The place of each kind of item in the table of rates. */
export const placesInRates: PlaceOfEach<typeof rateKeys> = {
  window: 'counts',
  chartViews: 'counts',
  opens: 'counts',
  downloadedBytes: 'counts',
};
