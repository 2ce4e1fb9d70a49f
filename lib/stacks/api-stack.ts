import { CfnOutput, Stack, type App } from 'aws-cdk-lib/core';
import { limits } from '../../shared/config/limits.ts';
import { alarmTopicArns } from '../constructs/alarm-topic.ts';
import { alarm } from '../constructs/alarms.ts';
import { deadLetterReachables } from '../constructs/dead-letters.ts';
import { addFunctionSchedules } from '../constructs/function-schedule.ts';
import { functionSet } from '../constructs/function-set.ts';
import { ServiceApi, addAllRoutes } from '../constructs/http-api.ts';
import { apiMetric } from '../constructs/metrics.ts';
import { addOwnDomain } from '../constructs/own-domain.ts';
import { physicalName, type Service } from '../constructs/service.ts';
import { stackProps } from '../constructs/stack-props.ts';
import { SHIFT_ALARM } from '../constructs/traffic-shift.ts';
import type { DataStack } from './data-stack.ts';

/** The HTTP API, and the functions for profiles, segments, tokens and the service itself. */
export class ApiStack extends Stack {
  readonly apiId: string;
  readonly baseUrl: string;

  constructor(app: App, service: Service, data: DataStack) {
    super(
      app,
      physicalName(service.stage, 'api'),
      stackProps(service.stage, 'HTTP API, profiles and segments'),
    );
    const api = new ServiceApi(this, 'Api', service);
    this.apiId = api.apiId;
    this.baseUrl = api.baseUrl;
    // It comes before the functions, which it guards while they change.
    alarm(this, {
      name: SHIFT_ALARM,
      severity: 'page',
      impact: 'Clients get answers of 500 and above',
      section: 'api',
      metrics: [apiMetric(api.apiId, '5xx')],
      threshold: limits.alarms.apiErrors,
      stage: service.stage,
      topics: alarmTopicArns(service.stage),
    });
    const functions = functionSet(this, {
      service,
      stack: 'api',
      reachables: { ...data.reachables, ...deadLetterReachables(service) },
      baseUrl: this.baseUrl,
    });
    addFunctionSchedules(this, functions, { service, schedules: data.schedules });
    api.throttle(addAllRoutes(this, { apiId: api.apiId, service }, functions));
    addOwnDomain(this, api, service.stage);
    new CfnOutput(this, 'BaseUrl', { value: this.baseUrl, description: 'Address of the service' });
  }
}
