/** Stored schedules: the schedules that calls have created, kept in a file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from '../../core/folder.ts';

/**
 * A schedule in the form of CreateSchedule. The service stores and returns properties that have no effect on one
 * machine.
 */
export const ScheduleInput = v.looseObject({
  GroupName: v.optional(v.string(), 'default'),
  ScheduleExpression: v.string(),
  ScheduleExpressionTimezone: v.optional(v.string(), 'UTC'),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED']), 'ENABLED'),
  ActionAfterCompletion: v.optional(v.picklist(['NONE', 'DELETE']), 'NONE'),
  FlexibleTimeWindow: v.looseObject({ Mode: v.string() }),
  Target: v.looseObject({
    Arn: v.string(),
    RoleArn: v.string(),
    Input: v.optional(v.string()),
    SqsParameters: v.optional(v.object({ MessageGroupId: v.string() })),
    DeadLetterConfig: v.optional(v.object({ Arn: v.string() })),
  }),
});
export type ScheduleInput = v.InferOutput<typeof ScheduleInput>;

const StoredShape = v.object({
  name: v.string(),
  created: v.number(),
  modified: v.number(),
  input: ScheduleInput,
});

/** A schedule from a call. Times are in milliseconds since the epoch. */
export type StoredSchedule = v.InferOutput<typeof StoredShape>;

/** Opens the store with the schedules of an earlier run. */
export const openScheduleStore = (dataDir: string | undefined) => {
  const file = dataDir === undefined ? undefined : join(dataDir, 'schedules.json');
  const known = new Map(file === undefined ? [] : read(file));
  const save = (): void => {
    if (file !== undefined) replaceFile(file, JSON.stringify([...known]));
  };
  return {
    get: (arn: string): StoredSchedule | undefined => known.get(arn),
    all: (): readonly (readonly [string, StoredSchedule])[] => [...known],
    put: (arn: string, schedule: StoredSchedule) => {
      known.set(arn, schedule);
      save();
    },
    remove: (arn: string) => {
      known.delete(arn);
      save();
    },
  };
};

/** Schedules by ARN, kept in a file when the service has a folder. */
export type ScheduleStore = ReturnType<typeof openScheduleStore>;

const read = (file: string): readonly (readonly [string, StoredSchedule])[] =>
  existsSync(file)
    ? v.parse(v.array(v.tuple([v.string(), StoredShape])), JSON.parse(readFileSync(file, 'utf8')))
    : [];
