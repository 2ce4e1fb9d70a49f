import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { dependenciesOf } from '../../local/assembly/template.ts';
import {
  attribute,
  functionOf,
  named,
  only,
  permissionOf,
  statementsOf,
  synthesized,
  writtenIn,
} from './stacks.ts';

const prod = synthesized('prod');
const { deployment } = prod;
const server = only(deployment.servers, 'the servers');
const identity = functionOf(prod, 'authorizeSftp');
const roleArn = identity.properties.Environment.Variables['SFTP_ROLE_ARN'];
const role = only(deployment.roles, 'the roles of sessions', (one) => attribute(one, 'Arn') === roleArn);

describe('the SFTP server', () => {
  it('only the SFTP server may call the identity function', () => {
    expect(server.properties).toMatchObject({
      Protocols: ['SFTP'],
      IdentityProviderDetails: { Function: attribute(identity, 'Arn') },
    });
    expect(permissionOf(prod, attribute(identity, 'Arn')).properties).toMatchObject({
      Principal: 'transfer.amazonaws.com',
      SourceArn: attribute(server, 'Arn'),
    });
  });

  it('the SFTP server offers no algorithms older than 2025, and its log ends with the files that it names', () => {
    expect(server.properties.SecurityPolicyName).toBe('TransferSecurityPolicy-2025-03');
    const group = only(deployment.logGroups, 'its log groups', (one) =>
      server.properties.StructuredLogDestinations.includes(attribute(one, 'Arn')),
    );
    expect(group.properties.RetentionInDays).toBe(30);
  });

  it('only the log of the SFTP server calls the function that records logins by key, with the lines of sessions', () => {
    const recorder = functionOf(prod, 'recordSftpLogin');
    const filter = only(deployment.subscriptionFilters, 'the subscription filters');
    const group = '/aws/vendedlogs/transfer/tidemark-prod-sftp';
    expect(filter.properties).toEqual({
      FilterName: 'tidemark-prod-recordSftpLogin',
      LogGroupName: group,
      FilterPattern: '{ $.activity-type = "CONNECTED" }',
      DestinationArn: attribute(recorder, 'Arn'),
    });
    const permission = permissionOf(prod, attribute(recorder, 'Arn'));
    expect(permission.properties).toMatchObject({
      Principal: 'logs.amazonaws.com',
      SourceArn: `arn:aws:logs:us-east-1:000000000000:log-group:${group}:*`,
      SourceAccount: '000000000000',
    });
    // CloudWatch Logs calls the function before it makes the filter.
    const [, resource] = only(writtenIn(prod), 'its filter', ([id]) => id === filter.logicalId);
    expect(dependenciesOf(resource)).toEqual([permission.logicalId]);
  });

  it('the log of an SFTP server that an earlier stack left has the same subscription', () => {
    const later = synthesized('prod', { settings: { sftpServerId: 's-0123456789abcdef0' } });
    expect(later.deployment.subscriptionFilters.map(({ properties }) => properties)).toEqual(
      deployment.subscriptionFilters.map(({ properties }) => properties),
    );
  });

  it("a session's role reaches only the SFTP folder, and the key only through S3", () => {
    expect(role.properties.AssumeRolePolicyDocument.Statement).toMatchObject([
      {
        Principal: { Service: ['transfer.amazonaws.com'] },
        Condition: { StringEquals: { 'aws:SourceAccount': ['000000000000'] } },
      },
    ]);
    const bucket = 'arn:aws:s3:::tidemark-prod-uploads-000000000000-us-east-1';
    expect(statementsOf(role)).toMatchObject([
      {
        Action: ['s3:ListBucket'],
        Resource: [bucket],
        Condition: { StringLike: { 's3:prefix': ['sftp/*'] } },
      },
      { Resource: [`${bucket}/sftp/*`] },
      {
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Condition: { StringEquals: { 'kms:ViaService': ['s3.us-east-1.amazonaws.com'] } },
      },
    ]);
  });

  it('the queue of file events receives an event for each file that is sent, broken off, renamed, read or removed', () => {
    const rule = named(deployment.rules, 'tidemark-prod-sftp');
    expect(rule.properties.EventPattern).toEqual({
      source: ['aws.transfer'],
      'detail-type': [
        'SFTP Server File Upload Completed',
        'SFTP Server File Upload Failed',
        'SFTP Server File Rename Completed',
        'SFTP Server File Download Completed',
        'SFTP Server File Download Failed',
        'SFTP Server File Delete Completed',
      ],
      detail: { 'server-id': [attribute(server, 'ServerId')] },
    });
    const queue = named(deployment.queues, 'tidemark-prod-fileEvents');
    expect(rule.properties.Targets.map(({ Arn }) => Arn)).toEqual([attribute(queue, 'Arn')]);
  });

  it('a stage without SFTP has neither the server nor its rule', () => {
    const dev = synthesized('dev');
    expect(dev.deployment.servers).toEqual([]);
    expect(dev.deployment.subscriptionFilters).toEqual([]);
    const rules = dev.deployment.rules.map(({ name }) => name);
    expect(rules.toSorted()).toEqual(['tidemark-dev-keys', 'tidemark-dev-uploads']);
  });

  it('the outputs of the stack hold the address of the SFTP server', () => {
    const outputs = prod.assembly.stacks.flatMap(({ template }) => Object.values(template.Outputs));
    const texts = outputs.map(({ Description }) => v.is(v.string(), Description) && Description);
    expect(texts).toContain('Address of the SFTP server, port 22');
  });
});
