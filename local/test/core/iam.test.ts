import { describe, expect, it } from 'vitest';
import { compilePolicy, refusalMessage } from '../../core/iam.ts';
import { allow, deny } from '../gateway/cloud.ts';

const table = 'arn:aws:dynamodb:eu-west-1:000000000000:table/tidemark';
const on = (action: string, resource = table, context = {}) => ({ action, resource, context });

describe('a policy', () => {
  it.each([
    ['an exact action', ['dynamodb:GetItem'], [table], on('dynamodb:GetItem'), 'allowed'],
    ['another action', ['dynamodb:GetItem'], [table], on('dynamodb:PutItem'), 'unallowed'],
    ['a wildcard in the action', ['dynamodb:PartiQL*'], [table], on('dynamodb:PartiQLInsert'), 'allowed'],
    ['an action in another case', ['DynamoDB:getitem'], [table], on('dynamodb:GetItem'), 'allowed'],
    [
      'a wildcard resource',
      ['s3:GetObject'],
      ['arn:aws:s3:::b/*'],
      on('s3:GetObject', 'arn:aws:s3:::b/x/y'),
      'allowed',
    ],
    [
      'the bucket is not its objects',
      ['s3:*'],
      ['arn:aws:s3:::b/*'],
      on('s3:ListBucket', 'arn:aws:s3:::b'),
      'unallowed',
    ],
    [
      'a dot is a dot',
      ['s3:GetObject'],
      ['arn:aws:s3:::a.b/*'],
      on('s3:GetObject', 'arn:aws:s3:::axb/k'),
      'unallowed',
    ],
    [
      'a question mark',
      ['s3:GetObject'],
      ['arn:aws:s3:::b/?'],
      on('s3:GetObject', 'arn:aws:s3:::b/xy'),
      'unallowed',
    ],
    [
      'a resource in another case',
      ['s3:GetObject'],
      ['arn:aws:s3:::B/*'],
      on('s3:GetObject', 'arn:aws:s3:::b/k'),
      'unallowed',
    ],
    [
      'a line break in a key',
      ['s3:GetObject'],
      ['arn:aws:s3:::b/*'],
      on('s3:GetObject', 'arn:aws:s3:::b/a\nb'),
      'allowed',
    ],
  ])('%s', (_name, actions, resources, needed, verdict) => {
    expect(compilePolicy([allow(actions, resources)])(needed)).toBe(verdict);
  });

  it('allows nothing when empty', () => {
    expect(compilePolicy([])(on('dynamodb:GetItem'))).toBe('unallowed');
  });

  it('lets Deny win, wherever it stands', () => {
    const statements = [deny(['dynamodb:DeleteItem']), allow(['dynamodb:*'])];
    for (const policy of [statements, statements.toReversed()].map(compilePolicy)) {
      expect(policy(on('dynamodb:DeleteItem'))).toBe('denied');
      expect(policy(on('dynamodb:GetItem'))).toBe('allowed');
    }
  });

  it.each([
    [
      'StringEquals',
      'kms:EncryptionContext:property',
      ['7'],
      { 'kms:EncryptionContext:property': ['7'] },
      'allowed',
    ],
    [
      'StringEquals',
      'kms:EncryptionContext:property',
      ['7'],
      { 'kms:EncryptionContext:property': ['8'] },
      'unallowed',
    ],
    ['StringEquals', 'kms:ViaService', ['s3.eu-west-1.amazonaws.com'], {}, 'unallowed'],
    ['StringLike', 's3:prefix', ['in/*', 'out/*'], { 's3:prefix': ['out/1'] }, 'allowed'],
    ['ArnLike', 'aws:SourceArn', ['arn:aws:s3:::*'], { 'aws:SourceArn': ['arn:aws:s3:::b'] }, 'allowed'],
    ['ArnEquals', 'aws:SourceArn', ['arn:aws:s3:::a'], { 'aws:SourceArn': ['arn:aws:s3:::b'] }, 'unallowed'],
    ['Bool', 'aws:SecureTransport', ['true'], {}, 'allowed'],
    ['Bool', 'aws:SecureTransport', ['false'], {}, 'unallowed'],
  ])('%s on %s of %j for %j', (operator, key, values, context, verdict) => {
    const conditions = { [operator]: { [key]: values } };
    expect(compilePolicy([{ ...allow(['*']), conditions }])(on('kms:Decrypt', '*', context))).toBe(verdict);
  });

  it.each([
    [{ NumericLessThan: { 'aws:SecureTransport': ['1'] } }, 'operator NumericLessThan'],
    [{ 'ForAnyValue:StringEquals': { 's3:prefix': ['1'] } }, 'operator ForAnyValue:StringEquals'],
    [{ StringEquals: { 'aws:RequestedRegion': ['1'] } }, 'key aws:RequestedRegion'],
  ])('that cannot be judged is refused at once: %j', (conditions, named) => {
    expect(() => compilePolicy([{ ...allow(['*']), conditions }])).toThrow(named);
  });
});

it('a refusal reads as AWS prints it', () => {
  const principal = 'arn:aws:sts::000000000000:assumed-role/reader/reader';
  expect(refusalMessage(principal, on('dynamodb:PutItem'), 'unallowed')).toBe(
    `User: ${principal} is not authorized to perform: dynamodb:PutItem on resource: ${table} because no identity-based policy allows the dynamodb:PutItem action`,
  );
  expect(refusalMessage(principal, on('dynamodb:PutItem'), 'denied')).toBe(
    `User: ${principal} is not authorized to perform: dynamodb:PutItem on resource: ${table} with an explicit deny in an identity-based policy`,
  );
});
