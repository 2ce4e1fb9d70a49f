import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { functions, synthesized, type Synthesized, writtenIn } from './stacks.ts';

const routed = functions.filter(([, { trigger }]) => trigger.kind === 'http').map(([name]) => name);

const Alias = v.object({ FunctionName: v.string(), Name: v.literal('live') });
const Group = v.object({
  ApplicationName: v.string(),
  DeploymentGroupName: v.string(),
  DeploymentConfigName: v.string(),
  AlarmConfiguration: v.object({
    Enabled: v.boolean(),
    Alarms: v.array(v.object({ Name: v.string() })),
  }),
  AutoRollbackConfiguration: v.object({ Enabled: v.boolean(), Events: v.array(v.string()) }),
});

const groupsOf = (stacks: Synthesized) =>
  stacks.ofType('AWS::CodeDeploy::DeploymentGroup').map(({ properties }) => v.parse(Group, properties));

/** For each alias of a template, whether CodeDeploy moves it. */
const movedAliases = (stacks: Synthesized): readonly boolean[] =>
  writtenIn(stacks)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Alias')
    .map(([, { UpdatePolicy }]) => UpdatePolicy !== undefined);

describe('the shift of requests to new code', () => {
  it.each(['dev', 'prod'])(
    'every route of %s, and nothing else, goes to the alias of its function',
    (stage) => {
      const stacks = synthesized(stage);
      const aliases = stacks.ofType('AWS::Lambda::Alias');
      const behind = aliases.map(({ properties }) => v.parse(Alias, properties).FunctionName);
      expect(behind.toSorted()).toEqual(routed.map((name) => `tidemark-${stage}-${name}`).toSorted());
      const targets = stacks.deployment.integrations.map(({ properties }) => properties.IntegrationUri);
      expect(targets.toSorted()).toEqual(aliases.map(({ ref }) => ref).toSorted());
    },
  );

  it('prod gives new code a tenth for ten minutes, and all back when clients get errors', () => {
    const stacks = synthesized('prod');
    const groups = groupsOf(stacks);
    expect(groups.map(({ DeploymentGroupName }) => DeploymentGroupName).toSorted()).toEqual(
      routed.toSorted(),
    );
    expect(movedAliases(stacks)).toEqual(routed.map(() => true));
    for (const group of groups)
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
        AlarmConfiguration: { Enabled: true, Alarms: [{ Name: 'tidemark-prod-api-errors' }] },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
  });

  it('the alarm exists before any function that it guards', () => {
    const { assembly } = synthesized('prod');
    const [first] = assembly.stacks.filter(({ template }) =>
      Object.values(template.Resources).some(({ Type }) => Type === 'AWS::Lambda::Alias'),
    );
    const names = Object.values(first?.template.Resources ?? {}).map(
      ({ Properties }) => Properties['AlarmName'],
    );
    expect([first?.name, names.includes('tidemark-prod-api-errors')]).toEqual(['tidemark-prod-api', true]);
  });

  it('its page goes to the topic that the last stack makes', () => {
    const { deployment } = synthesized('prod');
    const alarm = deployment.alarms.find(({ name }) => name === 'tidemark-prod-api-errors');
    expect(deployment.topics.map(({ ref }) => ref)).toEqual(
      expect.arrayContaining([...(alarm?.properties.AlarmActions ?? ['nothing'])]),
    );
  });

  it('a closed stage takes new code at once: its alarm rings because it is closed', () => {
    for (const group of groupsOf(synthesized('prod', { settings: { closed: true } })))
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaAllAtOnce',
        AlarmConfiguration: { Enabled: false },
      });
  });

  it('without the setting a stage keeps its aliases, and new code gets all requests at once', () => {
    const stacks = synthesized('prod', { settings: { gradualShift: false } });
    expect(groupsOf(stacks)).toEqual([]);
    expect(movedAliases(stacks)).toEqual(routed.map(() => false));
    const [before, after] = [synthesized('prod'), stacks].map((one) =>
      one.deployment.integrations.map(({ properties }) => properties.IntegrationUri),
    );
    expect(after).toEqual(before);
  });

  it('other code is another version, and another number of reserved executions is none', () => {
    const versions = (settings: Readonly<Record<string, unknown>>) =>
      synthesized('prod', { settings })
        .ofType('AWS::Lambda::Version')
        .map(({ logicalId }) => logicalId);
    const before = versions({});
    expect(versions({ readExecutions: 60 })).toEqual(before);
    expect(versions({ accountRequestsPerSecond: 60 })).not.toEqual(before);
  });
});
