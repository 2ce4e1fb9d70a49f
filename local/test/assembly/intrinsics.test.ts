import { describe, expect, it } from 'vitest';
import { UnresolvedError, resolve, type Lookup } from '../../assembly/intrinsics.ts';

const missing = (what: string): never => {
  throw new UnresolvedError(`${what} is missing`);
};

const lookup: Lookup = {
  stack: 'one',
  ref: (id) => (id === 'Queue' ? 'https://queue' : missing(id)),
  attribute: (id, name) => (id === 'Queue' && name === 'Arn' ? 'arn:queue' : missing(`${id}.${name}`)),
  exported: (name) => (name === 'one:Table' ? 'table' : missing(name)),
  condition: (name) => name === 'Yes',
  mapped: (map, key, name) => `${map}/${key}/${name}`,
};

describe('intrinsics', () => {
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ['Ref', { Ref: 'Queue' }, 'https://queue'],
    ['a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['GetAtt as a list', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:queue'],
    ['GetAtt as text', { 'Fn::GetAtt': 'Queue.Arn' }, 'arn:queue'],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::AccountId' }, 1]] }, 'a-000000000000-1'],
    [
      'Sub',
      { 'Fn::Sub': '${Queue}/${Queue.Arn}/${!raw}/${AWS::StackName}' },
      'https://queue/arn:queue/${raw}/one',
    ],
    [
      'Sub with values',
      { 'Fn::Sub': ['${a}${Queue.Arn}', { a: { Ref: 'Queue' } }] },
      'https://queuearn:queue',
    ],
    ['Select of Split', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    ['ImportValue', { 'Fn::ImportValue': { 'Fn::Sub': '${AWS::StackName}:Table' } }, 'table'],
    ['If', [{ 'Fn::If': ['Yes', 1, 2] }, { 'Fn::If': ['No', 1, 2] }], [1, 2]],
    ['FindInMap', { 'Fn::FindInMap': ['m', { Ref: 'AWS::Region' }, 'x'] }, 'm/us-east-1/x'],
    ['Base64', { 'Fn::Base64': 'ab' }, 'YWI='],
    [
      'comparisons',
      { 'Fn::And': [{ 'Fn::Equals': ['a', 'a'] }, { 'Fn::Not': [{ 'Fn::Equals': ['a', 'b'] }] }] },
      true,
    ],
    ['NoValue in an object', { a: { Ref: 'AWS::NoValue' }, b: 1 }, { b: 1 }],
    ['NoValue in a list', [{ Ref: 'AWS::NoValue' }, 1], [1]],
    ['a deeply nested reference', { a: [{ b: { Ref: 'Queue' } }] }, { a: [{ b: 'https://queue' }] }],
    ['a policy condition', { Condition: { Bool: { x: 'y' } } }, { Condition: { Bool: { x: 'y' } } }],
  ];
  it.each(cases)('%s', (_, value, expected) => {
    expect(resolve(value, lookup)).toEqual(expected);
  });

  it.each([
    ['a missing resource', { Ref: 'Nobody' }],
    ['a missing attribute', { 'Fn::GetAtt': ['Queue', 'Colour'] }],
    ['a missing export', { 'Fn::ImportValue': 'two:Table' }],
    ['an unknown function', { 'Fn::Transform': {} }],
    ['an unknown pseudo parameter', { Ref: 'AWS::Moon' }],
    ['an index beyond the list', { 'Fn::Select': [9, ['a']] }],
  ])('refuse %s', (_, value) => {
    expect(() => resolve(value, lookup)).toThrow(UnresolvedError);
  });
});
