import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { pathsOf, type HttpTrigger } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import { routesOf } from '../../local/assembly/routes.ts';
import { attribute, functionOf, functions, only, synthesized } from './stacks.ts';

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

describe('routes', () => {
  it.each(behindRoutes)('of $name: its paths, one integration, one permission', ({ name, trigger }) => {
    const arn = attribute(functionOf(stacks, name), 'Arn');
    const integration = only(
      deployment.integrations.filter(({ properties }) => properties.IntegrationUri === arn),
      'its integrations',
    );
    const routes = deployment.routes.filter(
      ({ properties }) => properties.Target === `integrations/${integration.ref}`,
    );
    expect(routes.map(({ properties }) => properties.RouteKey).toSorted()).toEqual(
      [...routeKeysOf(trigger)].toSorted(),
    );
    const permission = only(
      deployment.permissions.filter(({ properties }) => properties.FunctionName === arn),
      'its permissions',
    );
    const api = only(deployment.apis, 'the APIs');
    expect(permission.properties).toMatchObject({ Principal: 'apigateway.amazonaws.com' });
    expect(permission.properties.SourceArn).toMatch(new RegExp(`^arn:aws:execute-api:.*:${api.ref}/\\*$`));
  });

  it('are those of the manifest and no others', () => {
    const declared = behindRoutes.flatMap(({ trigger }) => routeKeysOf(trigger));
    const deployed = deployment.routes.map(({ properties }) => properties.RouteKey);
    expect(deployed.toSorted()).toEqual(declared.toSorted());
    expect(new Set(declared).size).toBe(declared.length);
  });

  it('are fewer than an HTTP API may have without a raised quota', () => {
    expect(deployment.routes.length).toBeLessThan(300);
  });

  it('have no function that outlasts the gateway', () => {
    const slow = behindRoutes.filter(({ timeoutSeconds }) => timeoutSeconds > limits.http.timeoutSeconds);
    expect(slow).toEqual([]);
  });

  it('log their key and never the path, which may hold the secret of a download', () => {
    const { AccessLogSettings, DefaultRouteSettings } = only(deployment.stages, 'the stages').properties;
    expect(AccessLogSettings?.Format).toContain('$context.routeKey');
    expect(AccessLogSettings?.Format).not.toMatch(/path|query|authorization|rawData/i);
    expect(DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: limits.gateway.requestsPerSecond,
      ThrottlingBurstLimit: limits.gateway.burst,
    });
  });

  it('that answer without a token are bounded one by one, but for those of exports, whose stack comes later', () => {
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
    // CloudFormation refuses settings of a route that is not there yet.
    const [resource] = templates.flatMap((resources) => resources[logicalId] ?? []);
    const DependsOn = v.parse(v.looseObject({ DependsOn: v.array(v.string()) }), resource).DependsOn;
    expect(DependsOn).toHaveLength(open.length);
  });
});

it('on one machine, sign-ins alone are bounded', () => {
  const bounded = routesOf(synthesized('local').deployment).filter(({ mostAtOnce }) => mostAtOnce < Infinity);
  expect(bounded.map(({ key, mostAtOnce }) => [key, mostAtOnce])).toEqual([['POST /oauth/token', 16]]);
});
