/** Resource places: logs, queues, histories and backups, and what they keep of people. */
import { limits } from '../../config/limits.ts';
import type { Kept, Place } from './place.ts';

/** A kind of resource in the templates, by CloudFormation type and by a pattern of names without the stage. */
export interface ResourcePlace extends Place {
  readonly type: string;
  readonly named: RegExp;
}

const ofUsers = { forgetting: 'users', access: 'no' } as const;
const loggedFor = (what: string): Kept => ({
  what,
  end: { setting: 'logRetention' },
  emptiedBy: 'logs',
  ...ofUsers,
});
const named = { end: { setting: 'nameLogRetention' }, forgetting: 'stays', access: 'no' } as const;
const queued = {
  end: { days: limits.queues.retentionDays },
  emptiedBy: 'queue',
  forgetting: 'stays',
  access: 'no',
} as const;

const logGroup = 'AWS::Logs::LogGroup';
const queue = 'AWS::SQS::Queue';

/** The resources beside the tables and the buckets of data that keep something. */
export const resourcePlaces: readonly ResourcePlace[] = [
  {
    name: 'Logs of functions',
    type: logGroup,
    named: /^\/aws\/lambda\//,
    keeps: loggedFor('Ids of accounts, users and things, and source addresses of requests.'),
  },
  {
    name: 'Access log of the API',
    type: logGroup,
    named: /^\/aws\/vendedlogs\/api$/,
    keeps: loggedFor('Route, status and source address of each request.'),
  },
  {
    name: 'Logs of workflows',
    type: logGroup,
    named: /^\/aws\/vendedlogs\/states\//,
    keeps: null,
  },
  {
    name: 'Log of the SFTP server',
    type: logGroup,
    named: /^\/aws\/vendedlogs\/transfer\/sftp$/,
    keeps: { what: 'Users, their addresses, and the names of files.', emptiedBy: 'logs', ...named },
  },
  {
    name: 'Access logs of the buckets',
    type: 'AWS::S3::Bucket',
    named: /^access-logs-/,
    keeps: {
      what: 'Source addresses, and the names of files from SFTP.',
      emptiedBy: 'lifecycle',
      ...named,
    },
  },
  {
    name: 'Questions to enrichers',
    type: queue,
    named: /^enrichments(-dead-letters)?$/,
    keeps: { what: 'Social tokens or identities, sealed. Of a forgotten person none is asked.', ...queued },
  },
  {
    name: 'Events of files',
    type: queue,
    named: /^fileEvents(-dead-letters)?$/,
    keeps: { what: 'Names of files from SFTP, and their users.', ...queued },
  },
  {
    name: 'Other queues',
    type: queue,
    named: /^((drains|importBatches|exportRuns)(-dead-letters)?|schedules-dead-letters)(\.fifo)?$/,
    keeps: null,
  },
  {
    name: 'Histories of workflows',
    type: 'AWS::StepFunctions::StateMachine',
    named: /^(importFile|undoJob|runExport|deliverExport)$/,
    keeps: null,
  },
  {
    name: 'Alarms',
    type: 'AWS::SNS::Topic',
    named: /^(pages|tickets)$/,
    keeps: null,
  },
];

/** Copies of whole tables. */
export const backups: Place = {
  name: 'Backups',
  keeps: {
    what: 'The tables of data and of credentials, for a restore to any second.',
    end: { days: limits.table.restorableDays },
    emptiedBy: 'aws',
    forgetting: 'replayed',
    access: 'no',
  },
};

const given = { end: { with: 'the receiver’s rules' }, emptiedBy: 'receiver' } as const;

/** Receivers outside of the service, whom the customer or the operator names. */
export const receivers: readonly Place[] = [
  {
    name: 'SFTP servers and buckets of exports',
    keeps: { what: 'Files of exports.', ...given, forgetting: 'elsewhere', access: 'no' },
  },
  {
    name: 'Whoever has a location',
    keeps: {
      what: 'Files of exports, from an open address.',
      ...given,
      forgetting: 'elsewhere',
      access: 'no',
    },
  },
  {
    name: 'Enrichers',
    keeps: {
      what: 'A social token, or the identities of a new person.',
      ...given,
      forgetting: 'elsewhere',
      access: 'no',
    },
  },
  {
    name: 'Webhooks',
    keeps: {
      what: 'Facts about jobs: counts, the name of a file, the location of an export.',
      ...given,
      forgetting: 'elsewhere',
      access: 'no',
    },
  },
  {
    name: 'Mailboxes for notices',
    keeps: {
      what: 'Mails about jobs: counts, the name of a file, the location of an export.',
      ...given,
      forgetting: 'elsewhere',
      access: 'no',
    },
  },
];
