import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { pathsOf, type HttpTrigger } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import { routesOf } from '../../local/assembly/routes.ts';
import { requestBounds } from '../../cli/standalone/tidemark.ts';
import { attribute, functionOf, functions, only, permissionOf, synthesized } from './stacks.ts';

const stacks = synthesized('dev');
const { deployment } = stacks;
const behindRoutes = functions.flatMap(([name, { trigger, timeoutSeconds, stack }]) =>
  trigger.kind === 'http' ? [{ name, trigger, timeoutSeconds, stack }] : [],
);

const routeKeysOf = (trigger: HttpTrigger): readonly string[] => {
  const withMethod = (method: string) => pathsOf(trigger).map((path) => `${method} ${path}`);
  if (trigger.method === '$default') return ['$default'];
  return trigger.method === 'GET'
    ? [...withMethod('GET'), ...withMethod('HEAD')]
    : withMethod(trigger.method);
};

describe('routes of the HTTP API', () => {
  it.each(behindRoutes)(
    '$name has the paths of its entry, one integration and one permission',
    ({ name, trigger }) => {
      const arn = `${attribute(functionOf(stacks, name), 'Arn')}:live`;
      const integration = only(
        deployment.integrations,
        'its integrations',
        ({ properties }) => properties.IntegrationUri === arn,
      );
      const routes = deployment.routes.filter(
        ({ properties }) => properties.Target === `integrations/${integration.ref}`,
      );
      expect(routes.map(({ properties }) => properties.RouteKey).toSorted()).toEqual(
        [...routeKeysOf(trigger)].toSorted(),
      );
      const permission = permissionOf(stacks, arn).properties;
      const api = only(deployment.apis, 'the APIs');
      expect(permission.Principal).toBe('apigateway.amazonaws.com');
      expect(permission.SourceArn).toMatch(new RegExp(`^arn:aws:execute-api:.*:${api.ref}/\\*$`));
    },
  );

  it('the HTTP API has exactly the routes of the manifest', () => {
    const declared = behindRoutes.flatMap(({ trigger }) => routeKeysOf(trigger));
    const deployed = deployment.routes.map(({ properties }) => properties.RouteKey);
    expect(deployed.toSorted()).toEqual(declared.toSorted());
    expect(new Set(declared).size).toBe(declared.length);
  });

  it('the HTTP API has fewer routes than the default quota of AWS allows', () => {
    expect(deployment.routes.length).toBeLessThan(300);
  });

  it('a stack makes five of its routes and integrations at once, because API Gateway takes ten calls a second', () => {
    for (const { template } of stacks.assembly.stacks) {
      const left = new Map(
        Object.entries(template.Resources).filter(([, { Type }]) =>
          ['AWS::ApiGatewayV2::Route', 'AWS::ApiGatewayV2::Integration'].includes(Type),
        ),
      );
      const waits = (resource: unknown): boolean => {
        const text = JSON.stringify(resource);
        return [...left.keys()].some((other) => text.includes(`"${other}"`));
      };
      while (left.size > 0) {
        const ready = [...left].filter(([, resource]) => !waits(resource)).map(([id]) => id);
        expect(ready.length).toBeGreaterThan(0);
        expect(ready.length).toBeLessThanOrEqual(5);
        for (const id of ready) left.delete(id);
      }
    }
  });

  it('no function behind a route outlasts the gateway', () => {
    const slow = behindRoutes.filter(({ timeoutSeconds }) => timeoutSeconds > limits.http.timeoutSeconds);
    expect(slow).toEqual([]);
  });

  it('the access log holds the route key and never the path, which may hold the secret of a download', () => {
    const { AccessLogSettings, DefaultRouteSettings } = only(deployment.stages, 'the stages').properties;
    expect(AccessLogSettings?.Format).toContain('$context.routeKey');
    expect(AccessLogSettings?.Format).not.toMatch(/path|query|authorization|rawData/i);
    expect(DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 2_000,
      ThrottlingBurstLimit: 4_000,
    });
  });

  it('a setting raises the throttle of all clients, up to the burst that AWS gives an account', () => {
    const raised = synthesized('prod', { settings: { gatewayRequestsPerSecond: 10_000 } });
    expect(only(raised.deployment.stages, 'the stages').properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 10_000,
      ThrottlingBurstLimit: 5_000,
    });
  });

  it('each route without a token has its own rate limit, except the routes of exports, whose stack comes later', () => {
    const { logicalId, properties } = only(deployment.stages, 'the stages');
    const templates = stacks.assembly.stacks.map(({ template }) => template.Resources);
    const open = behindRoutes
      .filter(({ stack, trigger }) => trigger.auth === 'none' && stack !== 'export')
      .flatMap(({ trigger }) => routeKeysOf(trigger));
    expect(
      Object.keys(v.parse(v.record(v.string(), v.unknown()), properties.RouteSettings)).toSorted(),
    ).toEqual(open.toSorted());
    expect(properties.RouteSettings).toMatchObject({
      'POST /oauth/token': {
        ThrottlingRateLimit: limits.gateway.signIn.requestsPerSecond,
        ThrottlingBurstLimit: limits.gateway.signIn.burst,
      },
    });
    // CloudFormation refuses settings for a route that does not exist yet.
    const [resource] = templates.flatMap((resources) => resources[logicalId] ?? []);
    const DependsOn = v.parse(v.looseObject({ DependsOn: v.array(v.string()) }), resource).DependsOn;
    expect(DependsOn).toHaveLength(open.length);
  });
});

it('the local stage limits the rate of sign-ins alone', () => {
  const routes = routesOf(synthesized('local').deployment, requestBounds);
  const bounded = routes.filter(({ mostAtOnce }) => mostAtOnce < Infinity);
  expect(bounded.map(({ key, mostAtOnce }) => [key, mostAtOnce])).toEqual([['POST /oauth/token', 16]]);
});
