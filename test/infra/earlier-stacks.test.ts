import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { grantsOf } from '../../functions/grants.ts';
import { manifest } from '../../functions/manifest.ts';
import {
  attribute,
  functionOf,
  functions,
  grantsIn,
  named,
  only,
  statementsOf,
  synthesized,
  writtenIn,
} from './stacks.ts';

const keyArn = (last: number): string =>
  `arn:aws:kms:us-east-1:000000000000:key/11111111-1111-4111-8111-00000000000${last}`;
const environment = { account: '123456789012', region: 'eu-central-1' };
const settings = {
  tableName: 'tidemark-prod-restored',
  credentialsTableName: 'tidemark-prod-credentials-restored',
  dataKeyArn: keyArn(1),
  propertyKeyArn: keyArn(2),
  earlierPropertyKeyArns: [keyArn(3), keyArn(4)],
  sftpServerId: 's-0123456789abcdef0',
};
const first = synthesized('prod');
const later = synthesized('prod', { settings });
type Stacks = typeof first;

const resourcesOf = (stacks: Stacks, type: string) =>
  writtenIn(stacks).filter(([, { Type }]) => Type === type);

/** Names of the exports of a stack: other stacks use each of them. */
const exportsOf = ({ assembly }: Stacks): readonly string[] =>
  assembly.stacks.flatMap(({ template }) =>
    Object.values(template.Outputs).flatMap(({ Export }) =>
      Export ? [v.parse(v.string(), Export.Name)] : [],
    ),
  );

const decrypting = functions.filter(([, entry]) =>
  grantsOf(entry).some(({ actions }) => actions.includes('kms:Decrypt')),
);

/** What the role of a function may do with keys. */
const keyGrantsOf = (stacks: Stacks, name: string): readonly string[] => {
  const { Role } = functionOf(stacks, name).properties;
  const role = only(stacks.deployment.roles, 'its roles', (one) => attribute(one, 'Arn') === Role);
  return grantsIn(role).filter((grant) => grant.startsWith('kms:'));
};

describe('names by which CloudFormation takes up what an earlier stack left', () => {
  it('every kept table and bucket of prod has a name in plain text once account and region are known', () => {
    const here = synthesized('prod', { environment });
    for (const [type, name] of [
      ['AWS::DynamoDB::Table', 'TableName'],
      ['AWS::S3::Bucket', 'BucketName'],
    ] as const) {
      const found = resourcesOf(here, type);
      expect(found).toHaveLength(4);
      for (const [id, { Properties, DeletionPolicy }] of found) {
        expect(Properties[name], id).toBeTypeOf('string');
        expect(DeletionPolicy, id).toBe('RetainExceptOnCreate');
      }
    }
  });
});

describe('a table with a name of its own', () => {
  const logicalIds = (stacks: Stacks) => resourcesOf(stacks, 'AWS::DynamoDB::Table').map(([id]) => id);

  it('is another resource than the table of the stage, so that the stack can change from one to the other', () => {
    const shared = logicalIds(later).filter((id) => logicalIds(first).includes(id));
    expect(shared.toSorted()).toEqual(['AuditLog', 'Rates']);
  });

  it('changes no name that another stack has imported', () => {
    const kept = synthesized('prod', { settings: { tableName: settings.tableName } });
    expect(exportsOf(kept).toSorted()).toEqual(exportsOf(first).toSorted());
  });

  it('is the table of every function that uses it, and of no other role', () => {
    for (const [name, entry] of functions) {
      if (grantsOf(entry).every(({ to }) => to !== 'table')) continue;
      expect(functionOf(later, name).properties.Environment.Variables['TABLE_NAME'], name).toBe(
        settings.tableName,
      );
    }
    const granted = statementsOf(...later.deployment.roles).flatMap(({ Resource }) =>
      Resource.filter((one) => one.includes(':table/')),
    );
    expect(new Set(granted.map((arn) => arn.split('/')[1]))).toEqual(
      new Set([
        ...['tidemark-prod-restored', 'tidemark-prod-credentials-restored'],
        ...['tidemark-prod-rates', 'tidemark-prod-audit-log'],
      ]),
    );
  });

  it('is kept in every stage, because the operator made it', () => {
    const dev = synthesized('dev', { settings: { tableName: 'tidemark-dev-restored' } });
    const tables = resourcesOf(dev, 'AWS::DynamoDB::Table');
    const [, table] = only(tables, 'the tables of data', ([id]) => id.startsWith('Table'));
    expect(table.DeletionPolicy).toBe('RetainExceptOnCreate');
  });
});

describe('keys of earlier stacks', () => {
  it('a stage that names its keys makes none', () => {
    expect(resourcesOf(first, 'AWS::KMS::Key')).toHaveLength(2);
    expect(resourcesOf(later, 'AWS::KMS::Key')).toEqual([]);
  });

  it('every function that decrypts may decrypt with the current and the earlier keys', () => {
    expect(decrypting.length).toBeGreaterThan(20);
    for (const [name] of decrypting) {
      const grants = keyGrantsOf(later, name).filter((one) => one.startsWith('kms:Decrypt'));
      expect(grants, name).toEqual([2, 3, 4].map((last) => `kms:Decrypt on ${keyArn(last)}`));
    }
  });

  it('no function encrypts with an earlier key', () => {
    for (const [name] of functions) {
      const others = keyGrantsOf(later, name).filter((one) => !one.startsWith('kms:Decrypt'));
      expect(
        others.filter((one) => !one.endsWith(keyArn(2))),
        name,
      ).toEqual([]);
    }
    expect(manifest['operator']?.access.propertyKey).toEqual(['generate', 'encrypt']);
  });

  it('tables and buckets are encrypted with the key of data that the stage names', () => {
    for (const [id, { Properties }] of resourcesOf(later, 'AWS::DynamoDB::Table'))
      expect(Properties['SSESpecification'], id).toMatchObject({ KMSMasterKeyId: keyArn(1) });
  });

  it('the keys that a stack makes carry its stage and their use, so that a later stack can find them', () => {
    const tags = resourcesOf(first, 'AWS::KMS::Key').map(([, { Properties }]) => Properties['Tags']);
    const stage = { Key: 'tidemark:stage', Value: 'prod' };
    expect(tags).toEqual([
      [stage, { Key: 'tidemark:use', Value: 'data' }],
      [stage, { Key: 'tidemark:use', Value: 'properties' }],
    ]);
  });
});

it('a stage that names the SFTP server of an earlier stack makes none, and serves that server', () => {
  expect(later.deployment.servers).toEqual([]);
  const permission = only(
    later.deployment.permissions,
    'the permissions of servers',
    ({ properties }) => properties.Principal === 'transfer.amazonaws.com',
  );
  expect(permission.properties.SourceArn).toMatch(new RegExp(`:server/${settings.sftpServerId}$`));
  const rule = named(later.deployment.rules, 'tidemark-prod-sftp');
  expect(rule.properties.EventPattern).toMatchObject({ detail: { 'server-id': [settings.sftpServerId] } });
});
