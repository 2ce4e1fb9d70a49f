/** Policy documents: schemas of the IAM policies in templates, and their statements. */
import * as v from 'valibot';
import type { PolicyStatement } from './types.ts';

/** A list that a template may write as a single value. */
const oneOrMore = v.pipe(
  v.union([v.array(v.string()), v.string()]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);

const text = v.pipe(
  v.union([v.string(), v.boolean(), v.number()]),
  v.transform((value) => String(value)),
);
const texts = v.pipe(
  v.union([v.array(text), text]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);
const Conditions = v.optional(v.record(v.string(), v.record(v.string(), texts)), {});

/** A statement of an identity policy. `NotAction` and `NotResource` are refused, because the stacks never use them. */
const IdentityStatement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: Conditions,
});

const Principal = v.union([
  v.literal('*'),
  v.pipe(v.record(v.picklist(['AWS', 'Service', 'Federated', 'CanonicalUser']), oneOrMore)),
]);

/** A statement of a resource policy, which also names the principal. */
const ResourceStatement = v.strictObject({ ...IdentityStatement.entries, Principal });

const TrustStatement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: oneOrMore,
  Principal,
  Condition: Conditions,
});

const document = <S extends v.GenericSchema>(statement: S) =>
  v.strictObject({
    Version: v.optional(v.string()),
    Id: v.optional(v.string()),
    Statement: v.array(statement),
  });

export const IdentityPolicy = document(IdentityStatement);
export const ResourcePolicy = document(ResourceStatement);
export const TrustPolicy = document(TrustStatement);

export type IdentityPolicy = v.InferOutput<typeof IdentityPolicy>;
export type ResourcePolicy = v.InferOutput<typeof ResourcePolicy>;
export type ResourceStatement = v.InferOutput<typeof ResourceStatement>;

/** Statements of a policy document in the form that the policy evaluator takes. */
export const statementsOf = (policy: IdentityPolicy): readonly PolicyStatement[] =>
  policy.Statement.map(({ Effect, Action, Resource, Condition }) => ({
    effect: Effect,
    actions: Action,
    resources: Resource,
    conditions: Condition,
  }));
