import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../services/events/pattern.ts';

const event = {
  source: 'aws.s3',
  detail: {
    bucket: { name: 'uploads' },
    object: { key: 'in/a.csv', size: 10 },
    tags: ['x', 'y'],
    gone: null,
  },
};

describe('an event pattern', () => {
  const cases: readonly (readonly [string, object, boolean])[] = [
    ['exact', { source: ['aws.s3', 'aws.ec2'] }, true],
    ['exact, other', { source: ['aws.ec2'] }, false],
    ['nested', { detail: { bucket: { name: ['uploads'] } } }, true],
    ['prefix', { detail: { object: { key: [{ prefix: 'in/' }] } } }, true],
    ['suffix', { detail: { object: { key: [{ suffix: '.gz' }] } } }, false],
    ['wildcard', { detail: { object: { key: [{ wildcard: 'in/*.csv' }] } } }, true],
    ['anything-but', { detail: { object: { key: [{ 'anything-but': { prefix: 'tmp/' } }] } } }, true],
    ['anything-but a list', { source: [{ 'anything-but': ['aws.s3'] }] }, false],
    ['exists', { detail: { gone: [{ exists: true }], never: [{ exists: false }] } }, true],
    ['null', { detail: { gone: [null] } }, true],
    ['numeric', { detail: { object: { size: [{ numeric: ['>', 5, '<=', 10] }] } } }, true],
    ['any of a list', { detail: { tags: ['y'] } }, true],
    ['a field that is not there', { detail: { nothing: ['x'] } }, false],
    ['all fields must match', { source: ['aws.s3'], detail: { bucket: { name: ['other'] } } }, false],
  ];
  it.each(cases)('%s', (_, pattern, expected) => {
    expect(compilePattern(pattern)(event)).toBe(expected);
  });

  it.each([[{ source: [{ cidr: '10.0.0.0/8' }] }], [{ source: 'aws.s3' }], ['text']])(
    'a pattern with an unknown filter is refused: %j',
    (pattern) => {
      expect(() => compilePattern(pattern)).toThrow();
    },
  );
});
