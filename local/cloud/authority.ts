import type { Deployment } from '../assembly/deployment.ts';
import { policiesAllow, policiesOfResource } from '../assembly/resource-policies.ts';
import type { RoleCaller } from '../assembly/callers.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Authority } from '../core/authority.ts';
import { keyRefusal, type KeyGuard } from '../core/key-guard.ts';
import { ServiceError } from '../core/service-error.ts';

/**
 * Checks calls inside this process against the template: roles by their policies through the gateway, resources by their
 * resource policies, and both by the policies of the keys.
 */
export const createAuthority = (
  deployment: Deployment,
  callers: readonly RoleCaller[],
  gateway: Gateway,
  keys: KeyGuard,
): Authority => ({
  requireRole: (roleArn, needed) => {
    const caller = callers.find((one) => one.roleArn === roleArn);
    if (!caller) throw new ServiceError('AccessDenied', `there is no role ${roleArn}`, 403);
    gateway.authorize(caller.accessKeyId, [needed]);
  },
  requireService: (principal, sourceArn, needed) => {
    const policies = policiesOfResource(deployment, needed.resource);
    if (!policiesAllow(policies, { principal, sourceArn, ...needed })) {
      const message = `${principal} is not authorized to perform: ${needed.action} on resource: ${needed.resource}`;
      throw new ServiceError('AccessDenied', `${message} because no resource-based policy allows it`, 403);
    }
    const use = keys.refusedToService(principal, needed);
    if (use !== undefined) throw keyRefusal(principal, needed, use);
  },
});
