/** Policy evaluator: decides whether IAM statements allow a call. */
import type { NeededPermission, PolicyStatement } from './types.ts';

/** The result for one permission. `denied`: an explicit Deny matches. `unallowed`: no statement allows the call. */
export type Verdict = 'allowed' | 'denied' | 'unallowed';

/** A compiled policy. Decides one permission at a time. */
export type Policy = (needed: NeededPermission) => Verdict;

/**
 * Compiles the statements of a role. A matching Deny wins over any Allow; without a matching Allow the call is refused.
 * Throws for an unknown condition operator or key, because a failed start is better than a wrong decision.
 */
export const compilePolicy = (statements: readonly PolicyStatement[]): Policy => {
  const compiled = statements.map((statement) => ({ effect: statement.effect, matches: compile(statement) }));
  return (needed) => {
    const effects = new Set(compiled.filter(({ matches }) => matches(needed)).map(({ effect }) => effect));
    if (effects.has('Deny')) return 'denied';
    return effects.has('Allow') ? 'allowed' : 'unallowed';
  };
};

const compile = (statement: PolicyStatement): ((needed: NeededPermission) => boolean) => {
  const actions = statement.actions.map((action) => wildcard(action, 'i'));
  const resources = statement.resources.map((resource) => wildcard(resource));
  const conditions = Object.entries(statement.conditions).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => compileCondition(operator, key, values)),
  );
  return (needed) =>
    actions.some((pattern) => pattern.test(needed.action)) &&
    resources.some((pattern) => pattern.test(needed.resource)) &&
    conditions.every((holds) => holds(needed));
};

/** Turns IAM's `*` and `?` into a pattern over the whole text. */
const wildcard = (pattern: string, flags = ''): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    `s${flags}`,
  );

/** The condition operators of the policies that CDK generates, each for one expected value. */
const OPERATORS: Readonly<Record<string, (wanted: string) => (value: string) => boolean>> = {
  StringEquals: (wanted) => (value) => value === wanted,
  StringLike: (wanted) => matcher(wanted),
  ArnEquals: (wanted) => matcher(wanted),
  ArnLike: (wanted) => matcher(wanted),
  Bool: (wanted) => (value) => value.toLowerCase() === wanted.toLowerCase(),
};

const matcher = (wanted: string): ((value: string) => boolean) => {
  const pattern = wildcard(wanted);
  return (value) => pattern.test(value);
};

/** Condition keys that a call can have. A condition on a key that the call lacks fails, as in IAM. */
const KNOWN_KEYS =
  /^(aws:SecureTransport|aws:SourceAccount|aws:SourceArn|aws:ResourceAccount|iam:PassedToService|kms:CallerAccount|kms:ViaService|kms:EncryptionContext:.+|s3:prefix|ses:FromAddress|sts:ExternalId)$/;

const compileCondition = (operator: string, key: string, values: readonly string[]) => {
  const make = OPERATORS[operator];
  if (!make) throw new Error(`IAM condition operator ${operator} is not known to the embedded cloud`);
  if (!KNOWN_KEYS.test(key)) throw new Error(`IAM condition key ${key} is not known to the embedded cloud`);
  const tests = values.map(make);
  return (needed: NeededPermission): boolean =>
    (contextOf(needed, key) ?? []).some((value) => tests.some((test) => test(value)));
};

/** AWS ends TLS before the gateway, so every call here counts as secure. */
const contextOf = (needed: NeededPermission, key: string): readonly string[] | undefined =>
  key === 'aws:SecureTransport' ? ['true'] : needed.context?.[key];

/** The error message of a refusal, word for word as in AWS. */
export const refusalMessage = (principal: string, needed: NeededPermission, verdict: Verdict): string => {
  const start = `User: ${principal} is not authorized to perform: ${needed.action} on resource: ${needed.resource}`;
  return verdict === 'denied'
    ? `${start} with an explicit deny in an identity-based policy`
    : `${start} because no identity-based policy allows the ${needed.action} action`;
};
