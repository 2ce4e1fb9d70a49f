import type { Deployment, DeployedOf } from '../assembly/deployment.ts';
import type { Rule } from '../services/events/bus.ts';
import type { Target } from '../services/events/targets.ts';
import type { LineSubscription } from '../services/logs/vended-log.ts';
import type { MachineDefinition } from '../services/states/engine.ts';

/** The targets of a rule in the template, as the delivery takes them. */
export const targetsOf = (
  rule: DeployedOf<'rules'>,
): readonly (Target & { readonly input?: string | undefined })[] =>
  rule.properties.Targets.map((target) => ({
    arn: target.Arn,
    roleArn: target.RoleArn,
    groupId: target.SqsParameters?.MessageGroupId,
    deadLetters: target.DeadLetterConfig?.Arn,
    input: target.Input,
    transformer:
      target.InputTransformer === undefined
        ? undefined
        : {
            paths: target.InputTransformer.InputPathsMap,
            template: target.InputTransformer.InputTemplate,
          },
  }));

/** The enabled rules with an event pattern. Rules with a schedule belong to the scheduler. */
export const patternRulesOf = ({ rules }: Deployment): readonly Rule[] =>
  rules.flatMap((rule): Rule[] => {
    const { EventPattern, State } = rule.properties;
    if (EventPattern === undefined || State === 'DISABLED') return [];
    return [{ arn: rule.attributes['Arn'] ?? '', pattern: EventPattern, targets: targetsOf(rule) }];
  });

/** The subscription filters of a log group. */
export const subscriptionsOf = (
  { subscriptionFilters }: Deployment,
  logGroupName: string,
): readonly LineSubscription[] =>
  subscriptionFilters
    .filter(({ properties }) => properties.LogGroupName === logGroupName)
    .map(({ name, properties }) => ({
      name,
      pattern: properties.FilterPattern,
      target: properties.DestinationArn,
    }));

/** The state machines of the template. */
export const machinesOf = ({ machines }: Deployment): readonly MachineDefinition[] =>
  machines.map(({ ref, logicalId, properties }) => ({
    arn: ref,
    name: logicalId,
    definition: properties.DefinitionString,
    roleArn: properties.RoleArn,
  }));
