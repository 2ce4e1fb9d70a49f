import type { NeededPermission } from './types.ts';

/** Checks the calls that parts of this process make, as the gateway checks calls over HTTP. */
export interface Authority {
  /** Throws AccessDenied (a ServiceError) unless the policies of the role allow the call. */
  requireRole(roleArn: string, needed: NeededPermission): void;
  /** Throws AccessDenied unless the policy of the resource allows the service to act for the source. */
  requireService(principal: string, sourceArn: string, needed: NeededPermission): void;
}
