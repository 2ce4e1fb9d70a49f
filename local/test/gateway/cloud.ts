import { REGION } from '../../core/arn.ts';
import type { AwsService, PolicyStatement } from '../../core/types.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../gateway/gateway.ts';

/** Allows the given actions on everything, or on `resources`. */
export const allow = (actions: readonly string[], resources: readonly string[] = ['*']): PolicyStatement => ({
  effect: 'Allow',
  actions,
  resources,
  conditions: {},
});

/** The same with Deny. */
export const deny = (actions: readonly string[], resources: readonly string[] = ['*']): PolicyStatement => ({
  ...allow(actions, resources),
  effect: 'Deny',
});

/** Starts a gateway with some services and one caller `tester` who may do anything. */
export const startGateway = async (
  services: readonly AwsService[],
  options: GatewayOptions = {},
): Promise<Gateway> => {
  const gateway = await createGateway(options);
  for (const service of services) gateway.addService(service);
  addCaller(gateway, 'tester', [allow(['*'])]);
  return gateway;
};

/** Registers a caller whose access key id and secret are made from its name. */
export const addCaller = (gateway: Gateway, name: string, policy: readonly PolicyStatement[]): void => {
  gateway.registerCaller({
    accessKeyId: `AKIA${name}`,
    secretAccessKey: `secret-of-${name}`,
    name,
    principal: `arn:aws:sts::000000000000:assumed-role/${name}/${name}`,
    policy,
  });
};

/** Client settings of an SDK that speaks to the gateway as `name`. Failures show at once: no retries. */
export const clientOf = (gateway: Gateway, name = 'tester') => ({
  region: REGION,
  endpoint: gateway.url,
  credentials: { accessKeyId: `AKIA${name}`, secretAccessKey: `secret-of-${name}` },
  maxAttempts: 1,
});
