/** HTTP API: the API with its access log and throttling, and the routes of functions. */
import { Aws, type CfnResource } from 'aws-cdk-lib/core';
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { routeKeysOf, type HttpTrigger } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import { acknowledgeOwnAuthentication } from '../config/nag-suppressions.ts';
import { serviceLogs } from './log-group.ts';
import { physicalName, type Service } from './service.ts';
import type { ServiceFunction } from './service-function.ts';
import { routeTarget } from './traffic-shift.ts';

/**
 * The access log has route keys instead of paths, because a path may contain the secret of a download. It has no query
 * strings and no headers.
 */
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

/** The HTTP API without routes. Each stack adds the routes of its own functions. */
export class ServiceApi extends Construct {
  readonly apiId: string;
  /** Name of the stage of API Gateway; whoever refers to it waits for it. */
  readonly stageName: string;
  /** Base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly #stage: CfnStage;

  constructor(scope: Construct, id: string, { stage }: Service) {
    super(scope, id);
    const name = physicalName(stage, 'api');
    const api = new CfnApi(this, 'Api', { name, protocolType: 'HTTP' });
    const logs = serviceLogs(this, 'AccessLog', stage.logRetention, `/aws/vendedlogs/${name}`);
    this.#stage = new CfnStage(this, 'Stage', {
      apiId: api.ref,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: logs.logGroupArn, format: accessLog },
      defaultRouteSettings: {
        throttlingRateLimit: stage.gatewayRequestsPerSecond,
        throttlingBurstLimit: Math.min(2 * stage.gatewayRequestsPerSecond, limits.gateway.mostBurst),
      },
    });
    this.apiId = api.ref;
    this.stageName = this.#stage.ref;
    this.baseUrl = stage.baseUrl ?? `https://${api.ref}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  }

  /**
   * Throttles each route that answers without a token. The stage can only name existing routes, so it depends on them.
   */
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

/** A route of the API. */
export interface ServiceRoute {
  readonly route: CfnRoute;
  readonly trigger: HttpTrigger;
}

/** The routes of a function, and the integration that they share. */
interface FunctionRoutes {
  readonly integration: CfnIntegration;
  readonly routes: readonly ServiceRoute[];
}

/** Adds the routes of a function: one integration, one permission, and one route per path. */
const addRoutes = (
  apiId: string,
  target: ServiceFunction,
  [trigger, functionArn]: readonly [HttpTrigger, string],
): FunctionRoutes => {
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
  const routes = routeKeysOf(trigger).map((routeKey, index) => {
    const route = new CfnRoute(target, `Route${index === 0 ? '' : index}`, {
      apiId,
      routeKey,
      target: `integrations/${integration.ref}`,
      authorizationType: 'NONE',
    });
    acknowledgeOwnAuthentication(route);
    return { route, trigger };
  });
  return { integration, routes };
};

/**
 * Integrations and routes of a stack that CloudFormation makes at once. API Gateway takes ten calls a second of an account,
 * and no more on request ("Quotas for configuring and running an HTTP API", API Gateway Developer Guide).
 */
const LANES = 5;

/** Makes the resources of each function wait for each other, and for those of the function before it in its lane. */
const queueInLanes = (functions: readonly FunctionRoutes[]): void => {
  for (const [index, { integration, routes }] of functions.entries()) {
    let previous: CfnResource | undefined = functions[index - LANES]?.routes.at(-1)?.route;
    for (const resource of [integration, ...routes.map(({ route }) => route)]) {
      if (previous) resource.addResourceDependency(previous);
      previous = resource;
    }
  }
};

/** Adds the routes of all functions of a stack that have one, and returns them. */
export const addAllRoutes = (
  scope: Construct,
  { apiId, service }: { readonly apiId: string; readonly service: Service },
  functions: ReadonlyMap<string, ServiceFunction>,
): readonly ServiceRoute[] => {
  const arnOf = routeTarget(scope, service);
  const added = [...functions.values()].flatMap((target) => {
    const { trigger } = target.entry;
    return trigger.kind === 'http' ? [addRoutes(apiId, target, [trigger, arnOf(target)])] : [];
  });
  queueInLanes(added);
  return added.flatMap(({ routes }) => routes);
};
