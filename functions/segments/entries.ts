import {
  findSegmentsQuery,
  segmentProfilesAnswer,
  segmentProfilesQuery,
  segmentsAnswer,
} from '../../shared/segments/schemas.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, taskFunction, entry } from '../entry.ts';

export const findSegments = entry({
  ...apiFunction,
  source: 'segments/find-segments',
  summary: 'Find segments by name, or list them',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/segments',
    aliases: 'api',
    auth: 'token',
    query: findSegmentsQuery,
    answer: segmentsAnswer,
    statuses: [200],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['baseUrl'],
  impact: 'Clients cannot find segments',
});

export const listSegmentProfiles = entry({
  ...apiFunction,
  memoryMb: 1024,
  source: 'segments/list-segment-profiles',
  summary: 'Page through the profiles of a segment',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v2/properties/{property_id}/segments/{segment_id}/profiles',
    auth: 'token',
    query: segmentProfilesQuery,
    answer: segmentProfilesAnswer,
    statuses: [200],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['baseUrl'],
  impact: 'Clients cannot read who is in a segment',
});

export const drain = entry({
  ...taskFunction,
  stack: 'data',
  source: 'segments/drain',
  summary: 'Bring the membership index up to date with the journal, one group at a time',
  timeoutSeconds: 120,
  trigger: { kind: 'queue', queue: 'drains', batchSize: 1 },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.delete],
    },
    { to: 'drains', actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'] },
  ],
  impact: 'Imports stay in processing: segments lag behind profiles',
});

export const sweep = entry({
  ...taskFunction,
  stack: 'data',
  source: 'segments/sweep',
  summary: 'Ask for the draining of journal entries that were missed',
  timeoutSeconds: 120,
  trigger: { kind: 'schedule', expression: 'rate(1 minute)' },
  access: [
    { to: 'table', actions: [...table.query] },
    { to: 'drains', actions: ['sqs:SendMessage'] },
  ],
  impact: 'Changes left over by crashed writers reach segments late',
});
