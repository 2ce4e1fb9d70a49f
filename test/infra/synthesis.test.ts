import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CfnResource, Stack, type App } from 'aws-cdk-lib/core';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { buildApp } from '../../lib/app.ts';
import { buildCheckedApp } from '../../lib/checks.ts';
import { freshFolder, stubBundle, synthesized } from './stacks.ts';

const templatesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.template.json'))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );

const synth = (stage: string): string =>
  buildApp({ stage, outdir: freshFolder(), bundle: stubBundle }).synth().directory;

const checked = (stage: string): App => buildCheckedApp({ stage, outdir: freshFolder(), bundle: stubBundle });

describe('synthesis of the stacks', () => {
  it('two syntheses give the same templates', () => {
    const [first, second] = [templatesOf(synthesized('dev').directory), templatesOf(synth('dev'))];
    expect(Object.keys(first)).toHaveLength(5);
    expect(second).toEqual(first);
  });

  it.each(['local', 'dev', 'prod'])('the synthesis of %s has no unaccepted finding', (stage) => {
    const { directory } = checked(stage).synth();
    const report = readFileSync(join(directory, 'validation-report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ pluginReports: [] });
  });

  it('the synthesis for one account, with a domain, a pipeline and every setting of an earlier stack, has no unaccepted finding', () => {
    const key = 'arn:aws:kms:eu-central-1:123456789012:key/11111111-1111-4111-8111-000000000001';
    const settings = {
      tableName: 'restored',
      dataKeyArn: key,
      propertyKeyArn: key,
      earlierPropertyKeyArns: [key],
      sftpServerId: 's-0123456789abcdef0',
      deployRepository: 'hall/tidemark',
      domainName: 'profiles.example.org',
      certificateArn:
        'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-1111-4111-8111-000000000001',
    };
    const environment = { account: '123456789012', region: 'eu-central-1' };
    const app = buildCheckedApp({
      ...{ stage: 'prod', settings, environment },
      ...{ outdir: freshFolder(), bundle: stubBundle },
    });
    const report = readFileSync(join(app.synth().directory, 'validation-report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ pluginReports: [] });
  });

  it('the synthesis is refused for what AWS advises against, and for what CloudFormation does not know', () => {
    const app = checked('dev');
    const other = new Stack(app, 'other');
    // It may be reached without TLS.
    new CfnBucket(other, 'Open');
    new CfnResource(other, 'Wrong', { type: 'AWS::SQS::Queue', properties: { Colour: 1 } });
    expect(() => app.synth()).toThrow(/AwsSolutions-S10[^]*Colour.*\(CloudFormation Validate\)/);
  });

  it('no two stacks wait for each other', () => {
    const Artifacts = v.object({
      artifacts: v.record(
        v.string(),
        v.object({ type: v.string(), dependencies: v.optional(v.array(v.string()), []) }),
      ),
    });
    const { directory } = synthesized('dev').assembly;
    const { artifacts } = v.parse(
      Artifacts,
      JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')),
    );
    const order: string[] = [];
    const visit = (id: string, path: readonly string[]): void => {
      expect(path).not.toContain(id);
      for (const next of artifacts[id]?.dependencies ?? []) visit(next, [...path, id]);
      if (!order.includes(id)) order.push(id);
    };
    for (const id of Object.keys(artifacts)) visit(id, []);
    const stacks = order.filter((id) => artifacts[id]?.type === 'aws:cloudformation:stack');
    expect(stacks[0]).toBe('tidemark-dev-data');
    expect(stacks[1]).toBe('tidemark-dev-api');
    expect(stacks.at(-1)).toBe('tidemark-dev-ops');
  });

  it('every template stays far below the size limit of CloudFormation', () => {
    for (const { template, name } of synthesized('prod').assembly.stacks) {
      expect(Object.keys(template.Resources).length, name).toBeLessThan(450);
      expect(JSON.stringify(template).length, name).toBeLessThan(800_000);
    }
  });

  it('functions receive the address of the stage if the stage has one', () => {
    const baseUrls = (settings: Record<string, string>): ReadonlySet<string> => {
      const { directory } = synthesized('local', { settings });
      const text = Object.values(templatesOf(directory)).join('\n');
      return new Set([...text.matchAll(/"BASE_URL": ("[^"]*"|\{)/g)].map(([, value = '']) => value));
    };
    expect(baseUrls({ baseUrl: 'http://127.0.0.1:8080' })).toEqual(new Set(['"http://127.0.0.1:8080"']));
    expect(baseUrls({})).toEqual(new Set(['{']));
  });
});
