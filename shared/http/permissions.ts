/** Permissions: what a token may do, and the roles that give permissions to users. Each route with a token names one. */
import * as v from 'valibot';

/** Each permission with what it allows, in the order in which answers list them. */
export const permissions = {
  'account.read': 'Read the audit log.',
  'definitions.read': 'See definitions, jobs, sizes and charts, but no people.',
  'definitions.write': 'Create, change and delete imports, segments, collections, timelines and moments.',
  'exports.write':
    'Create, change and run exports, replay their deliveries, link charts: whatever lets data out.',
  'people.erase': 'Forget people, record objections, erase segments and undo imports.',
  'people.read': 'See people: lookups, pages, changes of moments, explanations, previews and refused rows.',
  'people.write': 'Send people: profiles, batches, files and import jobs.',
} as const;

/** What a route needs and a token may have. */
export type Permission = keyof typeof permissions;

const isPermission = (word: string): word is Permission => Object.hasOwn(permissions, word);

/** All permissions. */
export const allPermissions: readonly Permission[] = Object.keys(permissions).filter(isPermission);

/** A permission in a body or in a stored item. */
export const permissionSchema = v.picklist(allPermissions);

/** The permissions of each role. A user has one role; the operator gives it. */
export const roles = {
  owner: allPermissions,
  editor: ['definitions.read', 'definitions.write', 'exports.write', 'people.read', 'people.write'],
  importer: ['definitions.read', 'people.write'],
  exporter: ['definitions.read', 'exports.write'],
  reader: ['definitions.read', 'people.read'],
  viewer: ['definitions.read'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

/** The role of a user: what the tokens of the user may do at most. */
export type Role = keyof typeof roles;

const isRole = (word: string): word is Role => Object.hasOwn(roles, word);

/** All roles, the widest first. */
export const allRoles: readonly Role[] = Object.keys(roles).filter(isRole);

/** A role in a body or in a stored item. */
export const roleSchema = v.picklist(allRoles);

/** The permissions that are in a list and in a role, in the order of the table. */
export const withinRole = (held: readonly string[], role: Role): readonly Permission[] => {
  const given: ReadonlySet<string> = new Set(roles[role]);
  return allPermissions.filter((permission) => given.has(permission) && held.includes(permission));
};

/** Whether a role has a permission. */
export const roleHas = (role: Role, permission: Permission): boolean =>
  withinRole([permission], role).length > 0;
