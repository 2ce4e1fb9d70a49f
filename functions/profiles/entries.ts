/** Profile entries: the routes of profiles, and the function that replays forgettings. */
import { recordRule } from '../../shared/profiles/normalize-record.ts';
import { recordSchema } from '../../shared/profiles/record-schema.ts';
import {
  accessAnswer,
  forgottenAnswer,
  lookupQuery,
  profileAnswer,
  profileQuery,
  storedAnswer,
} from '../../shared/profiles/schemas.ts';
import { queueActions } from '../../shared/runtime/queue-access.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, entry, taskFunction, route } from '../entry.ts';

export const createProfile = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'profiles/create-profile',
  summary: 'Create or update the profile of a person',
  trigger: route('POST', '/v1/{property_id}/profiles', {
    aliases: 'api',
    body: recordSchema,
    bodyRules: [recordRule],
    answer: storedAnswer,
    statuses: [200, 201],
  }),
  access: [
    {
      to: 'table',
      actions: [
        ...table.read,
        // Requests for people of one group index them together, from the journal.
        ...table.query,
        ...table.insert,
        ...table.update,
        ...table.delete,
        ...table.increment,
      ],
    },
    { to: 'enrichments', actions: [...queueActions.send] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
}));

export const getProfile = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'profiles/get-profile',
  summary: 'Look up the profile of a person by an identity',
  trigger: route('GET', '/v1/{property_id}/profile', {
    aliases: 'api',
    query: profileQuery,
    shows: 'person',
    answer: profileAnswer,
    codes: ['several_people'],
  }),
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  reservedConcurrency: 'readExecutions',
}));

export const accessRequest = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'profiles/access-request',
  summary: 'Get everything that the service knows about a person, as a file',
  trigger: route('GET', '/v1/{property_id}/profile/access-request', {
    aliases: 'api',
    query: lookupQuery,
    shows: 'person',
    answer: accessAnswer,
    headers: ['Content-Disposition'],
    statuses: [200, 303],
  }),
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
    { to: 'work', actions: ['s3:ListBucket', 's3:PutObject', 's3:GetObject'] },
    { to: 'exports', actions: ['s3:GetObject', 's3:ListBucket'] },
  ],
}));

export const forgetProfile = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'profiles/forget-profile',
  summary: 'Forget a person: delete the profile, its identities and its places in all segments',
  trigger: route('DELETE', '/v1/{property_id}/profile', {
    aliases: 'api',
    query: lookupQuery,
    answer: forgottenAnswer,
  }),
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.delete],
    },
    { to: 'exports', actions: ['s3:GetObject', 's3:ListBucket'] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
}));

export const replayForgettings = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'data',
  source: 'profiles/replay-forgettings',
  summary: 'Repeat forgettings after a restore of the table',
  timeoutSeconds: 300,
  trigger: { kind: 'invoke' },
  access: [
    {
      to: 'table',
      actions: [
        ...table.read,
        ...table.query,
        ...table.insert,
        ...table.update,
        ...table.delete,
        // The end of an objection makes the segments of records that were stored without use.
        ...table.increment,
      ],
    },
    { to: 'auditLog', actions: [...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
}));

export * from './objection-entries.ts';
