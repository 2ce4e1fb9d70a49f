import * as v from 'valibot';

const Value = v.unknown();

const ResourceShape = v.strictObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), Value), {}),
  Condition: v.optional(v.string()),
  DependsOn: v.optional(v.union([v.string(), v.array(v.string())])),
  DeletionPolicy: v.optional(v.string()),
  UpdateReplacePolicy: v.optional(v.string()),
  UpdatePolicy: v.optional(Value),
  Metadata: v.optional(Value),
});

/** A CloudFormation template as CDK writes it. Unknown sections are refused. */
export const TemplateShape = v.strictObject({
  AWSTemplateFormatVersion: v.optional(v.string()),
  Description: v.optional(v.string()),
  Metadata: v.optional(Value),
  Parameters: v.optional(v.record(v.string(), v.looseObject({ Type: v.string(), Default: Value })), {}),
  Rules: v.optional(Value),
  Mappings: v.optional(v.record(v.string(), v.record(v.string(), v.record(v.string(), Value))), {}),
  Conditions: v.optional(v.record(v.string(), Value), {}),
  Resources: v.record(v.string(), ResourceShape),
  Outputs: v.optional(
    v.record(v.string(), v.looseObject({ Value, Export: v.optional(v.object({ Name: Value })) })),
    {},
  ),
});
export type Template = v.InferOutput<typeof TemplateShape>;
export type TemplateResource = v.InferOutput<typeof ResourceShape>;

/** All problems that prevent the start of an assembly, one sentence each. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The stacks cannot be started:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Logical ids of the resources on which this resource depends. */
export const dependenciesOf = (resource: TemplateResource): readonly string[] =>
  typeof resource.DependsOn === 'string' ? [resource.DependsOn] : (resource.DependsOn ?? []);
