import { describe, expect, it } from 'vitest';
import { isBucketName, isRegion, isRoleArn } from '../../shared/exports/model/s3-destination.ts';

describe('the name of a bucket', () => {
  it.each(['crm-inbox', 'a.b', 'x'.repeat(63), '1bucket'])('may be %s', (name) => {
    expect(isBucketName(name)).toBe(true);
  });

  it.each([
    ...['ab', 'x'.repeat(64), 'Crm', '-crm', 'crm-', 'a..b', 'a_b', '127.0.0.1', 'crm/x', 'crm:x', 'a b'],
    ...[
      'arn:aws:s3:::crm',
      'xn--crm',
      'crm-s3alias',
      'crm--ol-s3',
      'crm.mrap',
      'crm--use1-az4--x-s3',
      'crm--table-s3',
    ],
  ])('may not be %s', (name) => {
    expect(isBucketName(name)).toBe(false);
  });
});

it.each([
  ['eu-central-1', true],
  ['us-gov-west-1', true],
  ['ap-southeast-2', true],
  ['eu-central-1.evil.example', false],
  ['evil.example/', false],
  ['eu-central-1@evil', false],
  ['EU-CENTRAL-1', false],
  ['', false],
])('%s is a region: %s', (region, is) => {
  expect(isRegion(region)).toBe(is);
});

it.each([
  ['arn:aws:iam::111122223333:role/tidemark-destination-crm', true],
  ['arn:aws-us-gov:iam::111122223333:role/tidemark-destination-crm', true],
  [`arn:aws:iam::111122223333:role/tidemark-destination-${'x'.repeat(43)}`, true],
  [`arn:aws:iam::111122223333:role/tidemark-destination-${'x'.repeat(44)}`, false],
  ['arn:aws:iam::111122223333:role/admin', false],
  ['arn:aws:iam::111122223333:role/tidemark-destination-', false],
  ['arn:aws:iam::111122223333:role/team/tidemark-destination-crm', false],
  ['arn:aws:iam::111122223333:user/tidemark-destination-crm', false],
  ['arn:aws:iam::*:role/tidemark-destination-crm', false],
  ['arn:aws:iam::111122223333:role/tidemark-destination-*', false],
])('%s is a role that the service may assume: %s', (arn, is) => {
  expect(isRoleArn(arn)).toBe(is);
});
