/** Cost guard: mails the operator when a stage costs more than planned, or suddenly more than before. */
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnAnomalyMonitor, CfnAnomalySubscription } from 'aws-cdk-lib/aws-ce';
import type { Construct } from 'constructs';
import { ConfigurationError } from '../config/settings.ts';
import { STAGE_TAG, type Stage } from '../config/stages.ts';
import { physicalName } from './service.ts';

/** Share of the budget, in percent, at which the first mail goes out. */
const EARLY_PERCENT = 80;

/** An anomaly is told when it costs a twentieth of the monthly budget, and never below a dollar. */
const anomalyDollars = (monthly: number): number => Math.max(1, Math.round(monthly / 20));

/**
 * The budget of a stage that has one, with a mail at 80 % and at a forecast beyond 100 %, and a monitor of anomalies with a
 * daily mail. Both see the costs with the tag of the stage, which must be activated once as a cost allocation tag. They cost
 * nothing. @throws ConfigurationError when there is no address for the mails.
 */
export const costGuard = (scope: Construct, stage: Stage): void => {
  const { name, monthlyBudgetDollars: amount, alarmEmail: address } = stage;
  if (amount === undefined) return;
  if (address === undefined)
    throw new ConfigurationError('The setting monthlyBudgetDollars needs alarmEmail, which gets the mails.');
  const mail = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers: [{ subscriptionType: 'EMAIL', address }],
  });
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetName: physicalName(stage, 'budget'),
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount, unit: 'USD' },
      // Form of a tag in AWS Budgets: user:<key>$<value>.
      costFilters: { TagKeyValue: [`user:${STAGE_TAG}$${name}`] },
    },
    notificationsWithSubscribers: [mail('ACTUAL', EARLY_PERCENT), mail('FORECASTED', 100)],
  });
  const monitor = new CfnAnomalyMonitor(scope, 'CostAnomalies', {
    monitorName: physicalName(stage, 'anomalies'),
    monitorType: 'CUSTOM',
    monitorSpecification: JSON.stringify({
      Tags: { Key: STAGE_TAG, Values: [name], MatchOptions: ['EQUALS'] },
    }),
  });
  new CfnAnomalySubscription(scope, 'CostAnomaliesMail', {
    subscriptionName: physicalName(stage, 'anomalies'),
    monitorArnList: [monitor.attrMonitorArn],
    frequency: 'DAILY',
    subscribers: [{ type: 'EMAIL', address }],
    thresholdExpression: JSON.stringify({
      Dimensions: {
        Key: 'ANOMALY_TOTAL_IMPACT_ABSOLUTE',
        MatchOptions: ['GREATER_THAN_OR_EQUAL'],
        Values: [String(anomalyDollars(amount))],
      },
    }),
  });
};
