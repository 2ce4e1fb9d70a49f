/** Metrics of CloudWatch: their datapoints, and statistics of them over a window of time. */

/** A metric. Two metrics are the same if their namespace, name and dimensions are. */
export interface MetricName {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** The statistics that the stacks use. */
export type Statistic = 'Sum' | 'Maximum';

interface Datapoint {
  readonly value: number;
  readonly time: number;
}

const keyOf = ({ namespace, name, dimensions }: MetricName): string =>
  JSON.stringify([
    namespace,
    name,
    Object.entries(dimensions).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ]);

/** A store without datapoints. */
export const createMetrics = () => {
  const series = new Map<string, Datapoint[]>();
  return {
    put: (metric: MetricName, value: number, time: number) => {
      const key = keyOf(metric);
      const points = series.get(key);
      if (points) points.push({ value, time });
      else series.set(key, [{ value, time }]);
    },
    /** The statistic of the values after `from`, up to `to`; undefined without any. */
    statistic: (metric: MetricName, statistic: Statistic, from: number, to: number): number | undefined => {
      const values = (series.get(keyOf(metric)) ?? [])
        .filter(({ time }) => time > from && time <= to)
        .map(({ value }) => value);
      if (values.length === 0) return undefined;
      return statistic === 'Sum'
        ? values.reduce((sum, value) => sum + value, 0)
        : values.reduce((most, value) => Math.max(most, value));
    },
    /** Forgets the values before a time. */
    forget: (before: number) => {
      for (const [key, points] of series) {
        const kept = points.filter(({ time }) => time >= before);
        if (kept.length === 0) series.delete(key);
        else if (kept.length < points.length) series.set(key, kept);
      }
    },
  };
};

/** The datapoints of all metrics. Times are in milliseconds since the epoch. */
export type Metrics = ReturnType<typeof createMetrics>;
