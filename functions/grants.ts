/** Grants: the IAM actions and the settings of a function, by what its entry declares and what its trigger implies. */
import { isAudited } from '../shared/audit/audit-trail.ts';
import type { ResourceName, SettingName } from '../shared/runtime/env.ts';
import type { FunctionEntry, Trigger } from './entry.ts';
import { operations, type Access } from './operations.ts';

/** IAM actions of a function on one resource. The role holds these and no others (besides its own log group). */
export interface Grant {
  readonly to: ResourceName;
  readonly actions: readonly string[];
}

type Declared = Pick<FunctionEntry, 'trigger' | 'access' | 'settings'>;

const isGuarded = (trigger: Trigger): boolean => trigger.kind === 'http' && trigger.auth === 'token';

/** The access that follows from a trigger. */
export const impliedBy = (trigger: Trigger): Access => {
  if (trigger.kind === 'queue') return { [trigger.queue]: ['consume'] };
  if (trigger.kind !== 'http' || trigger.auth !== 'token') return {};
  return {
    // The wrapper reads the token, its user and the owner of the property, and counts the requests of the account.
    credentials: ['read'],
    rates: ['increment'],
    ...(isAudited(trigger) ? { auditLog: ['insert'] } : {}),
    // The wrapper keeps the answer for an `Idempotency-Key`.
    ...(trigger.method === 'POST' ? { table: ['read', 'insert', 'update'] } : {}),
  };
};

const isResource = (name: string): name is ResourceName => name in operations;

/** The IAM actions behind an access. */
export const actionsOf = (access: Access): readonly Grant[] =>
  Object.entries(access).flatMap(([to, used]) => {
    if (!isResource(to)) return [];
    const known: Readonly<Record<string, readonly string[]>> = operations[to];
    return [{ to, actions: used.flatMap((operation) => known[operation] ?? []) }];
  });

/** The grants of a function, one for each resource. */
export const grantsOf = ({ trigger, access }: Declared): readonly Grant[] => {
  const actions = new Map<ResourceName, ReadonlySet<string>>();
  for (const grant of [...actionsOf(impliedBy(trigger)), ...actionsOf(access)])
    actions.set(grant.to, (actions.get(grant.to) ?? new Set()).union(new Set(grant.actions)));
  return [...actions].map(([to, own]) => ({ to, actions: [...own] }));
};

/** The settings that a function reads. The wrapper of a route with a token reads the rate of accounts. */
export const settingNamesOf = ({ trigger, settings = [] }: Declared): readonly SettingName[] =>
  isGuarded(trigger) ? ['accountRate', ...settings] : settings;
