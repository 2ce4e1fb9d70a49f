import type { NeededPermission } from './types.ts';

/** Decides for the parts that act in this process, as the gateway does for calls over HTTP. */
export interface Authority {
  /** Throws AccessDenied (a ServiceError) unless the role's policies allow it. */
  requireRole(roleArn: string, needed: NeededPermission): void;
  /** Throws AccessDenied unless the resource's own policy lets the service act for the source. */
  requireService(principal: string, sourceArn: string, needed: NeededPermission): void;
}
