/** Item places: what the items of the tables keep of people. */
import { limits } from '../../config/limits.ts';
import type { Place } from './place.ts';

const { profiles, audit, auth, imports, exports, http } = limits;
const ofUsers = { forgetting: 'users', access: 'no' } as const;
const untilForgotten = { end: { with: 'the forgetting' }, emptiedBy: 'service' } as const;

/** Kinds of items. Several kinds of keys may make one place. */
export const itemPlaces = {
  profiles: {
    name: 'Profiles',
    keeps: {
      what: 'Every value with its source and tier, erased marks, consent, identities, when it was stored.',
      ...untilForgotten,
      forgetting: 'removed',
      access: 'yes',
    },
  },
  claims: {
    name: 'Claims of identities',
    keeps: {
      what: 'Keyed hashes of e-mail addresses and ids.',
      ...untilForgotten,
      besides: `${profiles.forgottenDays} days after`,
      forgetting: 'freed',
      access: 'marks',
    },
  },
  /** In the claims of the person. */
  withdrawals: {
    name: 'Withdrawals of forgotten people',
    keeps: {
      what: 'Channel and time of each withdrawal, with the keyed hashes of the identities.',
      end: { with: 'the end of the property' },
      emptiedBy: 'operator',
      forgetting: 'proof',
      access: 'no',
    },
  },
  phones: {
    name: 'Pointers from phone numbers',
    keeps: {
      what: 'Keyed hashes of every number that a profile ever showed.',
      ...untilForgotten,
      forgetting: 'removed',
      access: 'marks',
    },
  },
  names: {
    name: 'Pointers from last names',
    keeps: {
      what: 'Keyed hashes of the last name and the town that a profile shows, where the property searches by name.',
      ...untilForgotten,
      forgetting: 'removed',
      access: 'marks',
    },
  },
  index: {
    name: 'Index of segments and moments',
    keeps: {
      what: 'The number of a person in each segment and moment.',
      ...untilForgotten,
      forgetting: 'removed',
      access: 'yes',
    },
  },
  erasures: {
    name: 'Erasures',
    keeps: {
      what: 'Receipts: the segment, the numbers and the user of each erasure.',
      end: { with: 'the end of the property' },
      emptiedBy: 'operator',
      forgetting: 'unnamed',
      access: 'no',
    },
  },
  objections: {
    name: 'Objections',
    keeps: {
      what: 'Keyed hashes of the identities that object, with the scope, the time and the user who said so.',
      end: { with: 'its end' },
      ...({ emptiedBy: 'client', forgetting: 'stays', access: 'yes' } as const),
    },
  },
  forgotten: {
    name: 'List of forgotten people',
    keeps: {
      what: 'Numbers of forgotten people, so that nobody gets a file with them.',
      end: { days: exports.retentionDays + 2 },
      ...({ emptiedBy: 'expiry', forgetting: 'numbers', access: 'no' } as const),
    },
  },
  journal: {
    name: 'Journal of the index',
    keeps: {
      what: 'Numbers of people whose segments are being changed.',
      end: { with: 'the next drain' },
      emptiedBy: 'service',
      forgetting: 'removed',
      access: 'no',
    },
  },
  restatements: {
    name: 'Restatements',
    keeps: {
      what: 'Values that a file repeated, with identities, for undos.',
      end: { days: imports.restatementDays },
      emptiedBy: 'expiry',
      forgetting: 'soon',
      access: 'no',
    },
  },
  segments: {
    name: 'Segments and collections',
    keeps: {
      what: 'Names from values that people share: tags, likes, cities, sources. Of users: who made it.',
      end: { with: 'its deletion' },
      emptiedBy: 'client',
      forgetting: 'unnamed',
      access: 'yes',
    },
  },
  timelines: {
    name: 'Timelines and moments',
    keeps: {
      what: 'Name and e-mail address of the user who made it, until the user is deleted; comments of users.',
      end: { with: 'its deletion' },
      emptiedBy: 'client',
      ...ofUsers,
    },
  },
  importDefinitions: {
    name: 'Definitions of imports',
    keeps: {
      what: 'Addresses for notices, and values that are nobody’s identity, in all revisions.',
      end: { with: 'the end of the property' },
      emptiedBy: 'operator',
      forgetting: 'unnamed',
      access: 'no',
    },
  },
  exportDefinitions: {
    name: 'Definitions of exports',
    keeps: {
      what: 'Addresses for notices, logins of receivers (sealed), a public PGP key with its user ids.',
      end: { with: 'its deletion' },
      besides: `copies for jobs ${exports.jobDefinitionDays} days`,
      emptiedBy: 'client',
      ...ofUsers,
    },
  },
  importJobs: {
    name: 'Jobs of imports',
    keeps: {
      what: 'Names of files, header rows, counts; a failure may quote a header, a segment or a shared id.',
      end: { with: 'the end of the property' },
      emptiedBy: 'operator',
      forgetting: 'stays',
      access: 'no',
    },
  },
  addresses: {
    name: 'Addresses for notices',
    keeps: {
      what: 'Hashes of addresses, and when each was confirmed or withdrawn.',
      end: { with: 'the end of the property' },
      besides: `links ${exports.confirmationHours} hours`,
      emptiedBy: 'operator',
      ...ofUsers,
    },
  },
  keptAnswers: {
    name: 'Kept answers of requests',
    keeps: {
      what: 'Answers to requests with an `Idempotency-Key`, sealed: ids of people and jobs.',
      end: { hours: http.idempotencyHours },
      besides: `batches ${imports.batchIdempotencyDays} days`,
      emptiedBy: 'expiry',
      forgetting: 'numbers',
      access: 'no',
    },
  },
  accounts: {
    name: 'Accounts and users',
    keeps: {
      what: 'Name, e-mail address, hash of the password, public SSH keys of users; names of accounts.',
      end: { with: '`user delete`' },
      emptiedBy: 'operator',
      ...ofUsers,
    },
  },
  tokens: {
    name: 'Tokens and failed logins',
    keeps: {
      what: 'Hashes of tokens with their user, names of keys; counts of failed logins by hash.',
      end: { hours: auth.tokenSeconds / 3_600 },
      besides: `keys up to ${auth.keySeconds / 86_400} days`,
      emptiedBy: 'expiry',
      ...ofUsers,
    },
  },
  auditLog: {
    name: 'Audit log',
    keeps: {
      what: 'Who did which action from which address; ids of the people concerned, no values.',
      end: { days: audit.retentionDays },
      emptiedBy: 'expiry',
      forgetting: 'proof',
      access: 'no',
    },
  },
  forgettings: {
    name: 'Log of forgettings',
    keeps: {
      what: 'Keyed hashes of the identities of people who were forgotten or objected, for restores.',
      end: { days: audit.forgettingDays },
      emptiedBy: 'expiry',
      forgetting: 'proof',
      access: 'no',
    },
  },
  exportJobs: { name: 'Jobs and deliveries of exports', keeps: null },
  counts: { name: 'Counters, sizes, leases and turns', keeps: null },
  settings: { name: 'Properties, enrichers and brands', keeps: null },
} as const satisfies Readonly<Record<string, Place>>;
export type ItemPlace = keyof typeof itemPlaces;
