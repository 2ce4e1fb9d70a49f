import { err, ok, type Result } from '../runtime/result.ts';
import type { Permission } from './permissions.ts';
import type { Problem } from './problem.ts';

/** Checks that a token has the permission that a route, or a part of its answer, needs: 403 without it (RFC 6750, 3.1). */
export const permit = (
  { permissions }: { readonly permissions: readonly Permission[] },
  needed: Permission,
): Result<undefined, Problem> =>
  permissions.includes(needed)
    ? ok(undefined)
    : err({
        status: 403,
        code: 'not_permitted',
        detail: `The token may not do this: it needs the permission ${needed}.`,
        headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` },
      });
