/** Operations stack: alarms for effects on users, and the dashboard. */
import { Stack, type App } from 'aws-cdk-lib/core';
import { alarm } from '../constructs/alarms.ts';
import { alarmTopics } from '../constructs/alarm-topic.ts';
import { costGuard } from '../constructs/cost-guard.ts';
import { deployRole } from '../constructs/deploy-role.ts';
import { keyEvents } from '../constructs/key-events.ts';
import { dashboard } from '../constructs/dashboard.ts';
import { physicalName, type Service } from '../constructs/service.ts';
import { stackProps } from '../constructs/stack-props.ts';
import { alarmsOf } from './ops-alarms.ts';
import { chartsOf, type Watched } from './ops-charts.ts';

/** Alarms, each with the effect on users and its section of the runbook, and one page of charts. */
export class OpsStack extends Stack {
  constructor(app: App, service: Service, watched: Watched) {
    super(app, physicalName(service.stage, 'ops'), stackProps(service.stage, 'alarms and dashboard'));
    const { stage } = service;
    const topics = alarmTopics(this, stage);
    const { key, propertyKey } = watched.data;
    keyEvents(this, {
      stage,
      keys: [key.keyArn, propertyKey.arn, ...(propertyKey.earlierArns ?? [])],
      to: topics.page,
    });
    costGuard(this, stage);
    deployRole(this, stage);
    for (const props of alarmsOf(this, service, watched)) alarm(this, { ...props, stage, topics });
    dashboard(this, physicalName(stage, 'service'), chartsOf(service, watched));
  }
}
