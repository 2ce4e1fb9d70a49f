import type { Deployment, DeployedOf } from './deployment.ts';
import { ACCOUNT, REGION } from '../core/arn.ts';
import { policiesAllow, policiesOfFunction } from './resource-policies.ts';
import type { Route } from '../http-api/routes.ts';

/** ARN by which API Gateway says for which route it calls a function. */
const routeArn = (apiId: string, routeKey: string): string => {
  const [method = '', path] = routeKey.split(' ');
  const suffix = path === undefined ? method : `${method}${path}`;
  return `arn:aws:execute-api:${REGION}:${ACCOUNT}:${apiId}/$default/${suffix}`;
};

/** The function behind a route, and the integration between them; undefined when the template breaks the chain. */
export const integrationOf = (
  deployment: Deployment,
  route: DeployedOf<'routes'>,
): { integration: DeployedOf<'integrations'>; target: DeployedOf<'functions'> } | undefined => {
  const integration = deployment.integrations.find(
    ({ ref }) => route.properties.Target === `integrations/${ref}`,
  );
  const target = deployment.functions.find(
    ({ attributes }) => attributes['Arn'] === integration?.properties.IntegrationUri,
  );
  return integration && target ? { integration, target } : undefined;
};

/** Whether the function's permissions let API Gateway call it for the route. */
export const isPermitted = (
  deployment: Deployment,
  target: DeployedOf<'functions'>,
  route: DeployedOf<'routes'>,
): boolean => {
  const resource = target.attributes['Arn'] ?? '';
  return policiesAllow(policiesOfFunction(deployment, resource), {
    principal: 'apigateway.amazonaws.com',
    action: 'lambda:InvokeFunction',
    resource,
    sourceArn: routeArn(route.properties.ApiId, route.properties.RouteKey),
  });
};

/**
 * Requests at once to routes that would keep a desk busy for too long. A sign-in takes about a second of one of a few processors,
 * so this many have their answers well before the gateway gives up. In AWS each would get a processor of its own.
 */
const bounds: ReadonlyMap<string, number> = new Map([['POST /oauth/token', 16]]);

/** Routes of the deployment's API. */
export const routesOf = (deployment: Deployment): readonly Route[] =>
  deployment.routes.flatMap((route): Route[] => {
    const found = integrationOf(deployment, route);
    if (!found) return [];
    return [
      {
        key: route.properties.RouteKey,
        functionName: found.target.name,
        timeoutMs: found.integration.properties.TimeoutInMillis,
        mostAtOnce: bounds.get(route.properties.RouteKey) ?? Infinity,
        permitted: isPermitted(deployment, found.target, route),
      },
    ];
  });
