import { describe, expect, it } from 'vitest';
import { awsRestoreAccount } from '../../cli/aws-restore-account.ts';
import { answeringAws } from './answering-aws.ts';

describe('the calls of a restore', () => {
  const { answers, calls } = answeringAws();
  const account = () =>
    awsRestoreAccount({ kind: 'aws', stage: 'prod', account: '1', region: 'eu-central-1' });
  const refusal = (name: string, message = ''): readonly [number, string] => [
    400,
    JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }),
  ];
  const said = (call: string | undefined): unknown => JSON.parse(call?.slice(call.indexOf('{')) ?? '');

  it('read the window of restores, and tell a table without one', async () => {
    const [EarliestRestorableDateTime, LatestRestorableDateTime] = [1_000, 2_000];
    const PointInTimeRecoveryDescription = { EarliestRestorableDateTime, LatestRestorableDateTime };
    const body = { ContinuousBackupsDescription: { PointInTimeRecoveryDescription } };
    answers.set('DescribeContinuousBackups', [200, JSON.stringify(body)]);
    expect(await account().window('t')).toEqual({
      earliest: new Date(1_000_000),
      latest: new Date(2_000_000),
    });
    answers.set('DescribeContinuousBackups', [200, '{"ContinuousBackupsDescription":{}}']);
    expect(await account().window('t')).toBeUndefined();
    answers.set('DescribeContinuousBackups', refusal('TableNotFoundException'));
    expect(await account().window('t')).toBeUndefined();
    answers.set('DescribeContinuousBackups', refusal('AccessDeniedException', 'no'));
    await expect(account().window('t')).rejects.toThrow('no');
  });

  it('read the facts of a table', async () => {
    const Table = {
      TableStatus: 'CREATING',
      DeletionProtectionEnabled: true,
      SSEDescription: { KMSMasterKeyArn: 'arn:key' },
      WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 },
      RestoreSummary: { RestoreDateTime: 1_000, RestoreInProgress: true },
    };
    answers.set('DescribeTable', [200, JSON.stringify({ Table })]);
    expect(await account().table('t')).toEqual({
      status: 'CREATING',
      keyArn: 'arn:key',
      refusesDeletion: true,
      readUnits: 12_000,
      writeUnits: 4_000,
      restoredTo: new Date(1_000_000),
    });
    answers.set('DescribeTable', refusal('ResourceNotFoundException'));
    expect(await account().table('t')).toBeUndefined();
  });

  it('begin a restore, also when it was begun already', async () => {
    answers.set('RestoreTableToPointInTime', [200, '{}']);
    await account().restore('a', 'b', new Date(1_000_000));
    expect(said(calls.at(-1))).toEqual({
      SourceTableName: 'a',
      TargetTableName: 'b',
      RestoreDateTime: 1_000,
    });
    answers.set('RestoreTableToPointInTime', refusal('TableAlreadyExistsException'));
    await account().restore('a', 'b', new Date(1_000_000));
  });

  it('turn on backups once DynamoDB is ready, and expiry unless it is on', async () => {
    answers.set('UpdateContinuousBackups', refusal('ContinuousBackupsUnavailableException'));
    expect(await account().keepBackups('t')).toBe(false);
    answers.set('UpdateContinuousBackups', [200, '{}']);
    expect(await account().keepBackups('t')).toBe(true);
    answers.set('UpdateTimeToLive', refusal('ValidationException', 'TimeToLive is already enabled'));
    await account().expireItems('t');
    answers.set('UpdateTimeToLive', refusal('ValidationException', 'no such attribute'));
    await expect(account().expireItems('t')).rejects.toThrow('no such attribute');
  });

  it('protect and warm a table', async () => {
    answers.set('UpdateTable', [200, '{}']);
    await account().refuseDeletion('t');
    expect(said(calls.at(-1))).toEqual({ TableName: 't', DeletionProtectionEnabled: true });
    await account().warm('t', { readUnits: 1, writeUnits: 2 });
    expect(said(calls.at(-1))).toEqual({
      TableName: 't',
      WarmThroughput: { ReadUnitsPerSecond: 1, WriteUnitsPerSecond: 2 },
    });
  });

  it('list the schedules of a group in pages, and delete one, also when it is gone', async () => {
    const schedule = (Name: string) => ({ Name, CreationDate: 1_000.5, GroupName: 'g' });
    answers.set('NextToken=more', [200, JSON.stringify({ Schedules: [schedule('b')] })]);
    answers.set('GET /schedules', [200, JSON.stringify({ Schedules: [schedule('a')], NextToken: 'more' })]);
    expect(await account().schedules('g')).toEqual(
      ['a', 'b'].map((name) => ({ name, created: new Date(1_000_500) })),
    );
    expect(calls.at(-1)).toContain('ScheduleGroup=g');
    answers.set('DELETE /schedules/a', [200, '{}']);
    await account().deleteSchedule('g', 'a');
    expect(calls.at(-1)).toContain('groupName=g');
    answers.set('DELETE /schedules/a', [404, '{"__type":"ResourceNotFoundException"}']);
    await account().deleteSchedule('g', 'a');
  });
});
