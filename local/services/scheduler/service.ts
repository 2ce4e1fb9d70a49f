/** EventBridge Scheduler: creates, updates, reads, lists and deletes the schedules of clients. */
import * as v from 'valibot';
import { arn } from '../../core/arn.ts';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../../core/types.ts';
import { inputAs, jsonBody, jsonResponse } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import { compileExpression } from './expression.ts';
import type { ScheduledEntry, Scheduler } from './scheduler.ts';
import { ScheduleInput, type ScheduleStore, type StoredSchedule } from './stored.ts';

export interface ScheduleServiceParts {
  readonly scheduler: Scheduler;
  readonly store: ScheduleStore;
  readonly now: () => number;
}

type Kind = 'Create' | 'Update' | 'Get' | 'Delete';
const KINDS: Readonly<Record<string, Kind>> = { POST: 'Create', PUT: 'Update', GET: 'Get', DELETE: 'Delete' };

/** One call, from the request line and the body. */
interface Call {
  readonly kind: Kind;
  readonly name: string;
  readonly arn: string;
}

const Grouped = v.object({ GroupName: v.optional(v.string()) });
const WithRole = v.object({ Target: v.object({ RoleArn: v.string() }) });

const callOf = (request: AwsRequest): Call => {
  const kind = KINDS[request.method];
  const [, name] = /^\/schedules\/([0-9A-Za-z_.-]{1,64})$/.exec(request.path) ?? [];
  if (!kind || name === undefined) {
    throw new ServiceError(
      'UnknownOperationException',
      `${request.method} ${request.path} is not supported`,
      404,
    );
  }
  const body = v.safeParse(Grouped, jsonBody(request));
  const group =
    request.query.get('groupName') ?? (body.success ? body.output.GroupName : undefined) ?? 'default';
  return { kind, name, arn: arn('scheduler', `schedule/${group}/${name}`) };
};

/** Adds the schedules of an earlier run to the scheduler. */
export const restoreSchedules = ({ scheduler, store }: ScheduleServiceParts): void => {
  for (const [scheduleArn, schedule] of store.all())
    scheduler.set(entryOf(scheduleArn, schedule, () => store.remove(scheduleArn)));
};

/** EventBridge Scheduler behind the gateway: create, update, get and delete schedules. */
export const schedulerService = (parts: ScheduleServiceParts): AwsService => ({
  name: 'scheduler',
  permissions: (request) => permissionsOf(request),
  handle: (request) => Promise.resolve(answer(parts, request)),
});

/** ListSchedules, the only call without the name of a schedule. */
const isList = ({ method, path }: AwsRequest): boolean => method === 'GET' && path === '/schedules';

/** All schedules of a group on one page. */
const list = ({ store }: ScheduleServiceParts, group: string | null): object => {
  const prefix = group === null ? '' : arn('scheduler', `schedule/${group}/`);
  const found = store.all().filter(([scheduleArn]) => scheduleArn.startsWith(prefix));
  const Schedules = found.map(([Arn, { name, created, modified, input }]) => ({
    Arn,
    Name: name,
    GroupName: input.GroupName,
    State: input.State,
    CreationDate: created / 1000,
    LastModificationDate: modified / 1000,
    Target: { Arn: input.Target.Arn },
  }));
  return { Schedules };
};

/** The caller passes a role to Scheduler and needs the permission iam:PassRole. */
const permissionsOf = (request: AwsRequest): readonly NeededPermission[] => {
  if (isList(request)) return [{ action: 'scheduler:ListSchedules', resource: '*' }];
  const call = callOf(request);
  const own = { action: `scheduler:${call.kind}Schedule`, resource: call.arn };
  const body = v.safeParse(WithRole, jsonBody(request));
  if (!body.success) return [own];
  const context = { 'iam:PassedToService': ['scheduler.amazonaws.com'] };
  return [own, { action: 'iam:PassRole', resource: body.output.Target.RoleArn, context }];
};

const answer = (parts: ScheduleServiceParts, request: AwsRequest): AwsResponse => {
  if (isList(request)) return jsonResponse(list(parts, request.query.get('ScheduleGroup')));
  return jsonResponse(run(parts, callOf(request), jsonBody(request)));
};

const run = (parts: ScheduleServiceParts, call: Call, body: unknown): object => {
  const known = parts.store.get(call.arn);
  if (call.kind === 'Create') {
    if (known) throw new ServiceError('ConflictException', `Schedule ${call.name} already exists.`, 409);
    return put(parts, call, body, parts.now());
  }
  if (!known)
    throw new ServiceError('ResourceNotFoundException', `Schedule ${call.name} does not exist.`, 404);
  if (call.kind === 'Update') return put(parts, call, body, known.created);
  if (call.kind === 'Get') return describe(call, known);
  parts.store.remove(call.arn);
  parts.scheduler.remove(call.arn);
  return {};
};

const put = (
  { store, scheduler, now }: ScheduleServiceParts,
  call: Call,
  body: unknown,
  created: number,
): object => {
  const input = inputAs(ScheduleInput, body);
  try {
    compileExpression(input.ScheduleExpression, input.ScheduleExpressionTimezone, created);
  } catch {
    throw new ServiceError('ValidationException', `Invalid Schedule Expression ${input.ScheduleExpression}.`);
  }
  const schedule = { name: call.name, created, modified: now(), input };
  store.put(call.arn, schedule);
  scheduler.set(entryOf(call.arn, schedule, () => store.remove(call.arn)));
  return { ScheduleArn: call.arn };
};

const entryOf = (
  scheduleArn: string,
  { name, created, input }: StoredSchedule,
  forget: () => void,
): ScheduledEntry => ({
  id: scheduleArn,
  arn: scheduleArn,
  name,
  kind: 'schedule',
  expression: input.ScheduleExpression,
  timezone: input.ScheduleExpressionTimezone,
  enabled: input.State === 'ENABLED',
  created,
  input: input.Target.Input,
  target: {
    arn: input.Target.Arn,
    roleArn: input.Target.RoleArn,
    groupId: input.Target.SqsParameters?.MessageGroupId,
    deadLetters: input.Target.DeadLetterConfig?.Arn,
  },
  ...(input.ActionAfterCompletion === 'DELETE' ? { onLastRun: forget } : {}),
});

const describe = (call: Call, { name, created, modified, input }: StoredSchedule): object => ({
  Arn: call.arn,
  Name: name,
  CreationDate: created / 1000,
  LastModificationDate: modified / 1000,
  ...input,
});
