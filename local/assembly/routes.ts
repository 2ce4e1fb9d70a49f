/** API routes: maps each route of the template to its function, its timeout and its bound of concurrent requests. */
import type { Deployment, DeployedOf } from './deployment.ts';
import { ACCOUNT, REGION } from '../core/arn.ts';
import { policiesAllow, policiesOfFunction } from './resource-policies.ts';
import type { Route } from '../http-api/routes.ts';

/** The source ARN with which API Gateway invokes a function for a route. */
const routeArn = (apiId: string, routeKey: string): string => {
  const [method = '', path] = routeKey.split(' ');
  const suffix = path === undefined ? method : `${method}${path}`;
  return `arn:aws:execute-api:${REGION}:${ACCOUNT}:${apiId}/$default/${suffix}`;
};

/** The function behind a route, and the integration between them; undefined when the template lacks one of them. */
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

/** Whether the permissions of the function allow API Gateway to invoke it for the route. */
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
 * Bounds of concurrent requests by route key, for routes that need much processor time. In AWS each request would have a
 * processor of its own.
 */
export type RouteBounds = Readonly<Record<string, number>>;

/** Routes of the deployment's API. */
export const routesOf = (deployment: Deployment, bounds: RouteBounds = {}): readonly Route[] =>
  deployment.routes.flatMap((route): Route[] => {
    const found = integrationOf(deployment, route);
    if (!found) return [];
    return [
      {
        key: route.properties.RouteKey,
        functionName: found.target.name,
        timeoutMs: found.integration.properties.TimeoutInMillis,
        mostAtOnce: bounds[route.properties.RouteKey] ?? Infinity,
        permitted: isPermitted(deployment, found.target, route),
      },
    ];
  });
