import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { only, synthesized, writtenIn } from './stacks.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const workflows = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);

const Scripts = v.object({ scripts: v.record(v.string(), v.string()) });
const { scripts } = v.parse(Scripts, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

const Trust = v.object({
  Statement: v.tuple([
    v.object({
      Action: v.literal('sts:AssumeRoleWithWebIdentity'),
      Condition: v.object({ StringEquals: v.record(v.string(), v.string()) }),
      Effect: v.literal('Allow'),
      Principal: v.object({ Federated: v.unknown() }),
    }),
  ]),
});

/** The role of the pipeline in the templates of a stage. */
const deployRolesOf = (stage: string, settings: Readonly<Record<string, unknown>>) =>
  writtenIn(synthesized(stage, { settings })).flatMap(([id, { Type, Properties }]) =>
    Type === 'AWS::IAM::Role' && id.startsWith('DeployRole') ? [Properties] : [],
  );

describe('workflows in GitHub', () => {
  it.each([...workflows])('%s names each action by a commit, and the release that it is', (_, text) => {
    const used = [...text.matchAll(/uses: (\S+)([^\n]*)/g)].map(([, action = '', comment = '']) => [
      action,
      comment,
    ]);
    expect(used.length).toBeGreaterThan(0);
    for (const [action, comment] of used) {
      if (action?.startsWith('./') === true) continue;
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
    }
  });

  it.each([...workflows])('%s may do no more than read the code, and prove who it is', (_, text) => {
    const granted = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.endsWith(': read') || line.endsWith(': write'));
    expect(text).toMatch(/^permissions:$/m);
    expect(
      [...new Set(granted)].filter((one) => !['contents: read', 'id-token: write'].includes(one)),
    ).toEqual([]);
  });

  it.each([...workflows])('%s runs scripts that exist', (_, text) => {
    const run = [...text.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name);
    expect(run.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('a stage is deployed in its own environment, after the gate, and prod after dev', () => {
    const deploy = workflows.get('deploy.yml') ?? '';
    const order = [...deploy.matchAll(/(?:needs|stage): \w+/g)].map(([line]) => line);
    expect(order).toEqual(['needs: gate', 'stage: dev', 'needs: dev', 'stage: prod']);
    expect(workflows.get('deploy-stage.yml')).toContain('environment: ${{ inputs.stage }}');
  });
});

describe('the role of the pipeline', () => {
  it.each(['dev', 'prod'])(
    '%s trusts jobs of one repository in the environment of the stage, and nobody else',
    (stage) => {
      const deployRepository = 'hall@123456/tidemark@456789';
      const role = only(deployRolesOf(stage, { deployRepository }), 'roles for the pipeline');
      const { Statement } = v.parse(Trust, role['AssumeRolePolicyDocument']);
      expect(Statement[0].Condition.StringEquals).toEqual({
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': `repo:${deployRepository}:environment:${stage}`,
      });
      expect(JSON.stringify(Statement[0].Principal)).toContain(
        'oidc-provider/token.actions.githubusercontent.com',
      );
    },
  );

  it('may do what people who deploy and operate may do', () => {
    const role = only(deployRolesOf('prod', { deployRepository: 'hall/tidemark' }), 'roles for the pipeline');
    const actions = JSON.stringify(role['Policies']);
    for (const action of ['sts:AssumeRole', 'cloudformation:GetTemplate', 'lambda:InvokeFunction'])
      expect(actions).toContain(`"${action}"`);
  });

  it('does not exist without the setting', () => {
    expect(deployRolesOf('prod', {})).toEqual([]);
  });

  it.each(['hall', 'hall/*', 'hall/tidemark:ref', '*/tidemark', 'hall@x/tidemark'])(
    'no role trusts %s',
    (deployRepository) => {
      expect(() => deployRolesOf('dev', { deployRepository })).toThrow('Setting deployRepository must be');
    },
  );
});
