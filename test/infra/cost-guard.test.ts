import { describe, expect, it } from 'vitest';
import { buildApp } from '../../lib/app.ts';
import { ConfigurationError } from '../../lib/config/settings.ts';
import { only, stubBundle, synthesized } from './stacks.ts';

const guarded = synthesized('prod', {
  settings: { alarmEmail: 'on-call@example.org', monthlyBudgetDollars: 400 },
});

describe('the budget of a stage', () => {
  it('counts the costs with the tag of the stage, and mails at 80 % and at a forecast beyond it', () => {
    const { Budget, NotificationsWithSubscribers } = only(
      guarded.ofType('AWS::Budgets::Budget'),
      'the budgets',
    ).properties;
    expect(Budget).toMatchObject({
      BudgetLimit: { Amount: 400, Unit: 'USD' },
      TimeUnit: 'MONTHLY',
      CostFilters: { TagKeyValue: ['user:tidemark:stage$prod'] },
    });
    expect(NotificationsWithSubscribers).toMatchObject([
      { Notification: { NotificationType: 'ACTUAL', Threshold: 80 } },
      { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
    ]);
    expect(JSON.stringify(NotificationsWithSubscribers).match(/on-call@example\.org/g)).toHaveLength(2);
  });

  it('comes with a monitor of anomalies of the same costs, whose mails begin at a twentieth of it', () => {
    const monitor = only(guarded.ofType('AWS::CE::AnomalyMonitor'), 'the monitors').properties;
    expect(monitor['MonitorSpecification']).toContain('"Key":"tidemark:stage","Values":["prod"]');
    const mail = only(guarded.ofType('AWS::CE::AnomalySubscription'), 'the subscriptions').properties;
    expect(mail['ThresholdExpression']).toContain('"Values":["20"]');
  });

  it('is there only if it is set, and needs an address', () => {
    for (const type of ['AWS::Budgets::Budget', 'AWS::CE::AnomalyMonitor'])
      expect(synthesized('prod').ofType(type)).toEqual([]);
    const build = () => buildApp({ stage: 'dev', settings: { monthlyBudgetDollars: 5 }, bundle: stubBundle });
    expect(build).toThrow(ConfigurationError);
    expect(build).toThrow('The setting monthlyBudgetDollars needs alarmEmail');
  });
});
