/**
 * Alarms of CloudWatch. Each minute, an alarm looks at the last periods, whose windows end at that minute (CloudWatch User
 * Guide, "Alarm evaluation"). An alarm begins as OK here, where CloudWatch begins with INSUFFICIENT_DATA until its first
 * look.
 */
import { compileExpression, type Expression } from './expression.ts';
import type { MetricName, Metrics, Statistic } from './metrics.ts';

/** A query of an alarm: a statistic of a metric, or an expression over other queries. */
export interface MetricQuery {
  readonly id: string;
  readonly metric?: MetricName & { readonly statistic: Statistic; readonly periodSeconds: number };
  readonly expression?: string;
  readonly returned: boolean;
}

/** An alarm to evaluate. */
export interface AlarmDefinition {
  readonly name: string;
  readonly description: string;
  readonly queries: readonly MetricQuery[];
  readonly comparison: 'GreaterThanThreshold';
  readonly threshold: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly missing: 'notBreaching' | 'breaching' | 'ignore' | 'missing';
  /** ARNs of the topics that get the change to a state. */
  readonly actions: Readonly<Record<AlarmState, readonly string[]>>;
}

/** The states of an alarm. */
export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** A change of the state of an alarm. */
export interface AlarmChange {
  readonly alarm: AlarmDefinition;
  readonly from: AlarmState;
  readonly to: AlarmState;
  /** The values of the periods, the newest first. */
  readonly values: readonly (number | undefined)[];
}

interface Compiled {
  readonly definition: AlarmDefinition;
  readonly periodMs: number;
  readonly valueAt: (end: number) => number | undefined;
}

/** Compiles the alarms of a deployment over metrics. Throws for an alarm whose metric math is not known. */
export const createAlarms = (definitions: readonly AlarmDefinition[], metrics: Metrics) => {
  const compiled = definitions.map((definition) => compile(definition, metrics));
  const states = new Map<string, AlarmState>(definitions.map(({ name }) => [name, 'OK']));
  return {
    stateOf: (name: string): AlarmState | undefined => states.get(name),
    /** Evaluates every alarm at a time, and returns the changes. */
    evaluate: (now: number): readonly AlarmChange[] =>
      compiled.flatMap(({ definition, periodMs, valueAt }): AlarmChange[] => {
        const from = states.get(definition.name) ?? 'OK';
        const values = Array.from({ length: definition.evaluationPeriods }, (_, n) =>
          valueAt(now - n * periodMs),
        );
        const to = stateOf(definition, values, from);
        if (to === from) return [];
        states.set(definition.name, to);
        return [{ alarm: definition, from, to, values }];
      }),
  };
};

const compile = (definition: AlarmDefinition, metrics: Metrics): Compiled => {
  const { queries, name } = definition;
  const periodMs = Math.max(...queries.map(({ metric }) => (metric?.periodSeconds ?? 0) * 1_000));
  const [returned, ...others] = queries.filter((query) => query.returned);
  if (!returned || others.length > 0) throw new Error(`${name}: one query must return data`);
  const expressions = new Map<string, Expression>(
    queries.flatMap(({ id, expression }) =>
      expression === undefined ? [] : [[id, compileExpression(expression)] as const],
    ),
  );
  const valueOf = (id: string, end: number): number | undefined => {
    const expression = expressions.get(id);
    if (expression) return expression((inner) => valueOf(inner, end));
    const metric = queries.find((query) => query.id === id)?.metric;
    if (!metric) throw new Error(`${name}: there is no query ${id}`);
    return metrics.statistic(metric, metric.statistic, end - metric.periodSeconds * 1_000, end);
  };
  // An expression with an unknown id fails now, not when it should ring.
  valueOf(returned.id, 0);
  return { definition, periodMs, valueAt: (end) => valueOf(returned.id, end) };
};

/**
 * The state by the values of the periods (CloudWatch User Guide, "Configuring how CloudWatch alarms treat missing data").
 * The guide also looks at older values in place of missing ones; here a missing value stays missing.
 */
const stateOf = (
  { threshold, datapointsToAlarm, missing }: AlarmDefinition,
  values: readonly (number | undefined)[],
  current: AlarmState,
): AlarmState => {
  const known = values.filter((value) => value !== undefined);
  const unknown = values.length - known.length;
  if (known.length === 0 && missing === 'missing') return 'INSUFFICIENT_DATA';
  if (known.length === 0 && missing === 'ignore') return current;
  const breaching = known.filter((value) => value > threshold).length;
  return breaching + (missing === 'breaching' ? unknown : 0) >= datapointsToAlarm ? 'ALARM' : 'OK';
};
