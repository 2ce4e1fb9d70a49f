import { Aws } from 'aws-cdk-lib/core';
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { routeKeysOf, type HttpTrigger } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import { acknowledgeOwnAuthentication } from '../config/nag-suppressions.ts';
import { serviceLogs } from './log-group.ts';
import { physicalName, type Service } from './service.ts';
import type { ServiceFunction } from './service-function.ts';

/** Route keys, never paths: a path may hold the secret of a download. No query strings, no headers. */
const accessLog = JSON.stringify({
  time: '$context.requestTimeEpoch',
  request_id: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  bytes: '$context.responseLength',
  source: '$context.identity.sourceIp',
  integration: '$context.integrationErrorMessage',
});

/** The HTTP API without its routes: each stack adds those of its own functions. */
export class ServiceApi extends Construct {
  readonly apiId: string;
  /** Address of the service, without trailing slash. */
  readonly baseUrl: string;
  readonly #stage: CfnStage;

  constructor(scope: Construct, id: string, { stage }: Service) {
    super(scope, id);
    const name = physicalName(stage, 'api');
    const api = new CfnApi(this, 'Api', { name, protocolType: 'HTTP' });
    const logs = serviceLogs(this, 'AccessLog', stage, `/aws/vendedlogs/${name}`);
    this.#stage = new CfnStage(this, 'Stage', {
      apiId: api.ref,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: logs.logGroupArn, format: accessLog },
      defaultRouteSettings: {
        throttlingRateLimit: limits.gateway.requestsPerSecond,
        throttlingBurstLimit: limits.gateway.burst,
      },
    });
    this.apiId = api.ref;
    this.baseUrl = stage.baseUrl ?? `https://${api.ref}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  }

  /** Bounds each of these routes that answers without a token. The stage can name only routes that exist, so it waits for them. */
  throttle(routes: readonly ServiceRoute[]): void {
    const open = routes.filter(({ trigger }) => trigger.auth === 'none');
    this.#stage.routeSettings = Object.fromEntries(
      open.map(({ route, trigger }) => {
        const { requestsPerSecond, burst } =
          trigger.path === SIGN_IN ? limits.gateway.signIn : limits.gateway.open;
        return [
          route.routeKey,
          { ThrottlingRateLimit: requestsPerSecond, ThrottlingBurstLimit: burst },
        ] as const;
      }),
    );
    for (const { route } of open) this.#stage.addResourceDependency(route);
  }
}

const SIGN_IN = '/oauth/token';

/** A route as it was added to the API. */
export interface ServiceRoute {
  readonly route: CfnRoute;
  readonly trigger: HttpTrigger;
}

/** Puts a function behind its routes: one integration, one permission, a route for each path. */
const addRoutes = (apiId: string, target: ServiceFunction, trigger: HttpTrigger): readonly ServiceRoute[] => {
  const { functionArn } = target.function;
  const integration = new CfnIntegration(target, 'Integration', {
    apiId,
    integrationType: 'AWS_PROXY',
    integrationUri: functionArn,
    payloadFormatVersion: '2.0',
    timeoutInMillis: limits.gateway.timeoutMilliseconds,
  });
  new CfnPermission(target, 'FromApi', {
    action: 'lambda:InvokeFunction',
    functionName: functionArn,
    principal: 'apigateway.amazonaws.com',
    sourceArn: `arn:${Aws.PARTITION}:execute-api:${Aws.REGION}:${Aws.ACCOUNT_ID}:${apiId}/*`,
  });
  return routeKeysOf(trigger).map((routeKey, index) => {
    const route = new CfnRoute(target, `Route${index === 0 ? '' : index}`, {
      apiId,
      routeKey,
      target: `integrations/${integration.ref}`,
      authorizationType: 'NONE',
    });
    acknowledgeOwnAuthentication(route);
    return { route, trigger };
  });
};

/** Adds the routes of all functions of a stack that have one, and returns them. */
export const addAllRoutes = (
  apiId: string,
  functions: ReadonlyMap<string, ServiceFunction>,
): readonly ServiceRoute[] =>
  [...functions.values()].flatMap((target) => {
    const { trigger } = target.entry;
    return trigger.kind === 'http' ? addRoutes(apiId, target, trigger) : [];
  });
