/**
 * CloudWatch of the embedded cloud: keeps metrics, and rings the alarms of the template. It has a clock of its own, which
 * tests move on: alarms look back over minutes and hours.
 */
import { createAlarms, type AlarmChange, type AlarmDefinition, type AlarmState } from './alarms.ts';
import { createMetrics, type MetricName } from './metrics.ts';

const MINUTE_MS = 60_000;

/** The longest time over which an alarm may look (CloudWatch quota: a day for periods below an hour). */
const KEPT_MS = 86_400_000;

/** Adds a value to a metric, now. */
export type Put = (metric: MetricName, value: number) => void;

/** Options of the service. */
export interface CloudWatchOptions {
  readonly alarms: readonly AlarmDefinition[];
  readonly now: () => number;
  /** Puts the metrics that nobody tells of, such as the age of messages. Called before each look at the alarms. */
  readonly sample: (put: Put, now: number) => void;
  readonly publish: (topic: string, message: string) => void;
}

/** Starts the service. Throws for an alarm that it cannot evaluate. */
export const createCloudWatch = ({ alarms, now, sample, publish }: CloudWatchOptions) => {
  const metrics = createMetrics();
  const evaluated = createAlarms(alarms, metrics);
  let ahead = 0;
  const clock = (): number => now() + ahead;
  const put: Put = (metric, value) => metrics.put(metric, value, clock());
  const tick = (): void => {
    const time = clock();
    metrics.forget(time - KEPT_MS);
    sample(put, time);
    for (const change of evaluated.evaluate(clock()))
      for (const topic of change.alarm.actions[change.to]) publish(topic, notification(change, time));
  };
  return {
    /** Adds a value to a metric, now. */
    put,
    /** Takes samples and looks at all alarms, as CloudWatch does each minute. */
    tick,
    /** Lets time pass for metrics and alarms alone, minute by minute. */
    pass: (seconds: number) => {
      for (let passed = 0; passed < seconds * 1_000; passed += MINUTE_MS) {
        ahead += MINUTE_MS;
        tick();
      }
    },
    /** The state of an alarm; undefined for an unknown one. */
    stateOf: (alarm: string): AlarmState | undefined => evaluated.stateOf(alarm),
  };
};

/** The running service. */
export type CloudWatch = ReturnType<typeof createCloudWatch>;

/** The message of a change, with the fields of CloudWatch's own that a person reads. */
const notification = ({ alarm, from, to, values }: AlarmChange, time: number): string =>
  JSON.stringify({
    AlarmName: alarm.name,
    AlarmDescription: alarm.description,
    NewStateValue: to,
    OldStateValue: from,
    NewStateReason: `${values.map(String).join(', ')} (threshold ${alarm.threshold})`,
    StateChangeTime: new Date(time).toISOString(),
  });
