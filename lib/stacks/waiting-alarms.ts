/** The alarms of work that waits: late messages, dead letters, steps of workflows that meet busy services, conditions. */
import type { Construct } from 'constructs';
import type { FunctionAlarm, FunctionEntry, QueueTrigger } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import type { AlarmProps, Metric } from '../constructs/alarms.ts';
import { logMetric } from '../constructs/log-metric.ts';
import { queueMetric } from '../constructs/metrics.ts';
import { workQueueName } from '../constructs/queue-names.ts';
import { entriesOf, type Service } from '../constructs/service.ts';

/** An alarm of a stage, before it has its topics. */
export type Alarm = Omit<AlarmProps, 'stage' | 'topics'>;

const bounds = limits.alarms;

const alarmOf = (name: string, { alarm }: FunctionEntry): FunctionAlarm => {
  if (alarm === undefined) throw new Error(`The consumer ${name} has no alarm`);
  return alarm;
};

/** The seconds for which the messages of these functions have been copied. SQS knows only the age of the newest copy. */
const copiedSeconds = (
  scope: Construct,
  stage: Service['stage'],
  name: string,
  functions: readonly string[],
): Metric =>
  logMetric(scope, {
    stage,
    name,
    where: { field: 'code', value: 'message.postponed' },
    measured: 'seconds',
    functions,
  });

interface Consumer {
  readonly name: string;
  readonly trigger: QueueTrigger;
  readonly alarm: FunctionAlarm;
}

/**
 * The oldest message is late: its own age, and the time for which it was copied. Where a backlog is normal, the queue must
 * also stand still, and `postponedAlarm` looks after the copies.
 */
const ageAlarm = (scope: Construct, stage: Service['stage'], { name, trigger, alarm }: Consumer): Alarm => {
  const queue = workQueueName(stage, trigger.queue);
  const age = queueMetric(queue, 'ApproximateAgeOfOldestMessage');
  const isPatient = trigger.backlog === true;
  return {
    ...alarm,
    name: `${trigger.queue}-age`,
    section: 'late-messages',
    metrics: isPatient ? [age] : [age, copiedSeconds(scope, stage, `${trigger.queue}CopiedSeconds`, [name])],
    highest: true,
    threshold: bounds.messageSeconds,
    periodSeconds: bounds.messageSeconds,
    ...(isPatient && { unless: queueMetric(queue, 'NumberOfMessagesDeleted') }),
  };
};

/** Messages of a queue of dead letters. */
export const deadLetterAlarm = (queue: string, name: string, impact: string): Alarm => ({
  name,
  severity: 'ticket',
  impact,
  section: 'dead-letters',
  metrics: [queueMetric(queue, 'ApproximateNumberOfMessagesVisible')],
  highest: true,
});

const queueAlarms = (scope: Construct, { stage, manifest }: Service): readonly Alarm[] =>
  entriesOf(manifest, 'queue').flatMap(({ name, entry, trigger }) => {
    const alarm = alarmOf(name, entry);
    const dead = `${trigger.queue}-dead-letters`;
    return [
      ageAlarm(scope, stage, { name, trigger, alarm }),
      deadLetterAlarm(workQueueName(stage, trigger.queue, '-dead-letters'), dead, alarm.impact),
    ];
  });

/** Messages that are copied again and again, in the queues where messages may wait. */
const postponedAlarm = (scope: Construct, { stage, manifest }: Service): Alarm => ({
  name: 'postponed-age',
  severity: 'ticket',
  impact: 'Queued work has met busy services, or has waited for other work, for more than an hour',
  section: 'late-messages',
  metrics: [
    copiedSeconds(
      scope,
      stage,
      'PostponedSeconds',
      entriesOf(manifest, 'queue').flatMap(({ name, trigger }) => (trigger.backlog === true ? [name] : [])),
    ),
  ],
  highest: true,
  threshold: bounds.postponedSeconds,
});

/** Steps that wait for a busy service. Nothing fails meanwhile, so no other alarm sees them. */
const postponedStepsAlarm = (scope: Construct, { stage, manifest }: Service): Alarm => ({
  name: 'postponed-steps',
  severity: 'ticket',
  impact: 'Imports, exports, deliveries or undos have met busy services for two hours',
  section: 'late-steps',
  metrics: [
    logMetric(scope, {
      stage,
      name: 'PostponedSteps',
      where: { field: 'code', value: 'task.postponed' },
      functions: entriesOf(manifest, 'workflow').map(({ name }) => name),
    }),
  ],
  periodSeconds: bounds.postponedStepSeconds,
  periods: bounds.postponedStepPeriods,
});

/** Conditions that do not become ready. No call fails where their people wait for the drainer, or their task for its turn. */
const conditionsAlarm = (scope: Construct, { stage }: Service): Alarm => ({
  name: 'conditions-late',
  severity: 'ticket',
  impact: 'A new condition is not ready after an hour, or a deleted one has left members in the index',
  section: 'late-conditions',
  metrics: [
    logMetric(scope, {
      stage,
      name: 'ConditionSeconds',
      where: { field: 'code', value: 'condition.waiting' },
      measured: 'seconds',
      functions: ['reconcileTasks'],
    }),
  ],
  highest: true,
  threshold: bounds.conditionSeconds,
});

/** The alarms of all queues of work, of the steps of workflows, and of conditions. Metric filters become resources of `scope`. */
export const waitingAlarms = (scope: Construct, service: Service): readonly Alarm[] => [
  ...queueAlarms(scope, service),
  postponedAlarm(scope, service),
  postponedStepsAlarm(scope, service),
  conditionsAlarm(scope, service),
];
