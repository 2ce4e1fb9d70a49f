import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AwsRequest } from '../../../core/types.ts';
import { answerOf } from '../../../gateway/pipeline.ts';
import { createScheduler, type Scheduler } from '../../../services/scheduler/scheduler.ts';
import { restoreSchedules, schedulerService } from '../../../services/scheduler/service.ts';
import { openScheduleStore } from '../../../services/scheduler/stored.ts';
import { newFolders } from '../../support/folders.ts';

const ROLE = 'arn:aws:iam::000000000000:role/r';
const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:q.fifo';
const START = Date.parse('2026-08-01T12:00:30Z');
const caller = { accessKeyId: 'k', name: 'n', principal: 'p', policy: [] };
const Code = v.looseObject({ __type: v.optional(v.string()) });

const input = (more: object = {}): object => ({
  ScheduleExpression: 'rate(1 minute)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: QUEUE, RoleArn: ROLE, Input: '{}', SqsParameters: { MessageGroupId: 'g' } },
  ...more,
});

const request = (method: string, name: string, body?: object): AwsRequest => ({
  method,
  path: `/schedules/${name}`,
  query: new URLSearchParams({ groupName: 'clients' }),
  headers: {},
  body: Buffer.from(body ? JSON.stringify(body) : ''),
});

const newFolder = newFolders();
let folder: string;
const running: Scheduler[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now: START });
  folder = newFolder();
});
afterEach(() => {
  for (const scheduler of running.splice(0)) scheduler.stop();
  vi.useRealTimers();
});

/** The service with a store on disk, and a delivery that records its events. */
const open = () => {
  const sent: { readonly at: string; readonly event: string }[] = [];
  const scheduler = createScheduler((_target, _sender, event) => {
    sent.push({ at: new Date().toISOString().slice(11, 19), event });
    return Promise.resolve();
  }, Date.now);
  running.push(scheduler);
  const parts = { scheduler, store: openScheduleStore(folder), now: Date.now };
  restoreSchedules(parts);
  const service = schedulerService(parts);
  const call = async (method: string, name: string, body?: object) => {
    const { status, body: text } = await answerOf(service, request(method, name, body), caller);
    const answer: unknown = JSON.parse(v.parse(v.string(), text));
    return { status, answer, code: v.parse(Code, answer).__type };
  };
  return { sent, scheduler, service, call, times: () => sent.map(({ at }) => at) };
};

/** Lets seconds pass on the clock and on the timers. */
const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1000);

it('the schedules of a group are listed, with the time of their creation', async () => {
  const { call, service } = open();
  await call('POST', 'a', input({ GroupName: 'clients' }));
  await pass(60);
  await call('POST', 'b', input({ GroupName: 'clients' }));
  const others = new URLSearchParams({ groupName: 'others' });
  await service.handle({ ...request('POST', 'c', input({ GroupName: 'others' })), query: others }, caller);
  const listed = { ...request('GET', ''), path: '/schedules' };
  const query = new URLSearchParams({ ScheduleGroup: 'clients' });
  expect(service.permissions(listed)).toEqual([{ action: 'scheduler:ListSchedules', resource: '*' }]);
  const { body } = await service.handle({ ...listed, query }, caller);
  expect(JSON.parse(v.parse(v.string(), body))).toMatchObject({
    Schedules: [
      { Name: 'a', GroupName: 'clients', CreationDate: START / 1000 },
      { Name: 'b', CreationDate: START / 1000 + 60 },
    ],
  });
});

describe('a schedule', () => {
  it('runs by its expression until it is deleted', async () => {
    const { call, times } = open();
    await call('POST', 's', input());
    await pass(150);
    expect(times()).toEqual(['12:01:30', '12:02:30']);
    await call('DELETE', 's');
    await pass(300);
    expect(times()).toHaveLength(2);
  });

  it('follows its new expression after an update, counted from its creation', async () => {
    const { call, times } = open();
    await call('POST', 's', input());
    await pass(10);
    await call('PUT', 's', input({ ScheduleExpression: 'rate(2 minutes)' }));
    await pass(240);
    expect(times()).toEqual(['12:02:30', '12:04:30']);
  });

  it('does not run while it is disabled', async () => {
    const { call, times } = open();
    await call('POST', 's', input({ State: 'DISABLED' }));
    await pass(300);
    expect(times()).toEqual([]);
    await call('PUT', 's', input({ State: 'ENABLED' }));
    await pass(60);
    expect(times()).toHaveLength(1);
  });

  it('runs at a time in its timezone once', async () => {
    const { call, times } = open();
    const at = { ScheduleExpression: 'at(2026-08-01T14:05:00)', ScheduleExpressionTimezone: 'Europe/Zurich' };
    await call('POST', 's', input(at));
    await pass(900);
    expect(times()).toEqual(['12:05:00']);
  });

  it.each([
    ['DELETE', 404],
    ['NONE', 200],
  ])('with ActionAfterCompletion %s answers %d after its last run', async (ActionAfterCompletion, status) => {
    const { call } = open();
    await call('POST', 's', input({ ScheduleExpression: 'at(2026-08-01T12:01:00)', ActionAfterCompletion }));
    expect((await call('GET', 's')).status).toBe(200);
    await pass(60);
    expect((await call('GET', 's')).status).toBe(status);
  });

  it('survives a restart with its creation time', async () => {
    const first = open();
    await first.call('POST', 's', input());
    first.scheduler.stop();
    await pass(20);
    const second = open();
    await pass(60);
    expect(second.times()).toEqual(['12:01:30']);
    expect((await second.call('GET', 's')).answer).toMatchObject({ CreationDate: START / 1000 });
  });

  it('fills in the context attributes of its input', async () => {
    const { call, sent } = open();
    const Input =
      '<aws.scheduler.scheduled-time> <aws.scheduler.schedule-arn> <aws.scheduler.attempt-number>';
    await call('POST', 's', input({ Target: { Arn: QUEUE, RoleArn: ROLE, Input } }));
    await pass(60);
    expect(sent[0]?.event).toBe(
      '2026-08-01T12:01:30Z arn:aws:scheduler:us-east-1:000000000000:schedule/clients/s 1',
    );
  });

  it('without an input sends the event of Scheduler', async () => {
    const { call, sent } = open();
    await call('POST', 's', input({ Target: { Arn: QUEUE, RoleArn: ROLE } }));
    await pass(60);
    expect(JSON.parse(sent[0]?.event ?? '')).toMatchObject({
      source: 'aws.scheduler',
      'detail-type': 'Scheduled Event',
      detail: '{}',
    });
  });
});

describe('the calls', () => {
  it.each<[string, string, object | undefined, string]>([
    ['POST', 'known', input(), 'ConflictException'],
    ['PUT', 'unknown', input(), 'ResourceNotFoundException'],
    ['GET', 'unknown', undefined, 'ResourceNotFoundException'],
    ['DELETE', 'unknown', undefined, 'ResourceNotFoundException'],
    ['POST', 'new', input({ ScheduleExpression: 'rate(0 minutes)' }), 'ValidationException'],
    ['POST', 'new', input({ ScheduleExpression: 'cron(* * * * * *)' }), 'ValidationException'],
    ['POST', 'new', input({ ScheduleExpressionTimezone: 'Nowhere/Land' }), 'ValidationException'],
    ['POST', 'new', input({ State: 'PAUSED' }), 'ValidationException'],
    ['POST', 'new', input({ Target: { Arn: QUEUE } }), 'ValidationException'],
    ['POST', 'n e w', input(), 'UnknownOperationException'],
    ['PATCH', 'known', input(), 'UnknownOperationException'],
  ])('%s of %s %j is refused as %s and changes nothing', async (method, name, body, code) => {
    const { call } = open();
    await call('POST', 'known', input());
    const before = (await call('GET', 'known')).answer;
    expect((await call(method, name, body)).code).toBe(code);
    expect((await call('GET', 'known')).answer).toEqual(before);
    expect((await call('GET', 'new')).status).toBe(404);
  });

  it.each([
    ['POST', 'scheduler:CreateSchedule'],
    ['PUT', 'scheduler:UpdateSchedule'],
  ])('%s needs %s on the schedule, and the permission to pass the role', (method, action) => {
    expect(open().service.permissions(request(method, 's', input()))).toEqual([
      { action, resource: 'arn:aws:scheduler:us-east-1:000000000000:schedule/clients/s' },
      {
        action: 'iam:PassRole',
        resource: ROLE,
        context: { 'iam:PassedToService': ['scheduler.amazonaws.com'] },
      },
    ]);
  });
});

it('a rule sends its constant input, or the event of EventBridge', async () => {
  const { scheduler, sent } = open();
  const rule = {
    arn: 'rule',
    name: 'r',
    kind: 'rule',
    expression: 'rate(1 day)',
    timezone: 'UTC',
    enabled: true,
    created: START,
    target: { arn: QUEUE },
  } as const;
  scheduler.set({ ...rule, id: '0', input: '<aws.scheduler.attempt-number>' });
  scheduler.set({ ...rule, id: '1' });
  await scheduler.fire('r');
  expect(sent[0]?.event).toBe('<aws.scheduler.attempt-number>');
  expect(JSON.parse(sent[1]?.event ?? '')).toMatchObject({
    source: 'aws.events',
    resources: ['rule'],
    detail: {},
  });
  await expect(scheduler.fire('unknown')).rejects.toThrow('unknown');
});
