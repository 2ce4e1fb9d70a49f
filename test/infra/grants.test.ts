import { describe, expect, it } from 'vitest';
import { apiFunction, entry, route, taskFunction } from '../../functions/entry.ts';
import { grantsOf, settingNamesOf } from '../../functions/grants.ts';

const common = { ...apiFunction('api'), source: 'things/make', summary: 'Make a thing' };

describe('the grants of a function', () => {
  it('are those of its operations, on each resource', () => {
    const task = entry(() => ({
      ...common,
      ...taskFunction('import'),
      trigger: { kind: 'workflow', workflow: 'importFile' },
      access: { table: ['read', 'increment'], work: ['get', 'list'] },
    }));
    expect(grantsOf(task)).toEqual([
      { to: 'table', actions: ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'] },
      { to: 'work', actions: ['s3:GetObject', 's3:ListBucket'] },
    ]);
    expect(settingNamesOf(task)).toEqual([]);
  });

  it('behind a route with a token have what the wrapper needs, and each action once', () => {
    const make = entry(() => ({
      ...common,
      trigger: route('POST', '/v1/{property_id}/things', { permission: 'definitions.write' }),
      access: { table: ['update', 'query'], credentials: ['query'] },
      settings: ['baseUrl'],
    }));
    expect(grantsOf(make)).toEqual([
      { to: 'credentials', actions: ['dynamodb:BatchGetItem', 'dynamodb:Query'] },
      { to: 'rates', actions: ['dynamodb:UpdateItem'] },
      { to: 'auditLog', actions: ['dynamodb:PartiQLInsert'] },
      {
        to: 'table',
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:PartiQLInsert',
          'dynamodb:PartiQLUpdate',
          'dynamodb:Query',
        ],
      },
    ]);
    expect(settingNamesOf(make)).toEqual(['accountRate', 'baseUrl']);
  });

  it('behind a route that only reads have neither the audit log nor a place for the answer', () => {
    const show = entry(() => ({
      ...common,
      trigger: route('GET', '/v1/{property_id}/things', { permission: 'definitions.read' }),
      access: {},
    }));
    expect(grantsOf(show).map(({ to }) => to)).toEqual(['credentials', 'rates']);
  });

  it('behind a queue may take and give back its messages', () => {
    const work = entry(() => ({
      ...common,
      ...taskFunction('import'),
      trigger: { kind: 'queue', queue: 'drains', batchSize: 1 },
      access: { table: ['query'] },
    }));
    expect(grantsOf(work)[0]).toEqual({
      to: 'drains',
      actions: [
        'sqs:ReceiveMessage',
        'sqs:DeleteMessage',
        'sqs:GetQueueAttributes',
        'sqs:ChangeMessageVisibility',
        'sqs:SendMessage',
      ],
    });
  });
});
