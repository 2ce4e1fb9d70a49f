import type { Permission } from './permissions.ts';
import type { Problem } from './problem.ts';

/** RFC 6750, 3.1: the token is good, but may not do this. */
export const notPermitted = (permission: Permission): Problem => ({
  status: 403,
  code: 'not_permitted',
  detail: `The token may not do this: it needs the permission ${permission}.`,
  headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${permission}"` },
});
