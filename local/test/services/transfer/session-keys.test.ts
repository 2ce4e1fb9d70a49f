import { expect, it } from 'vitest';
import * as v from 'valibot';
import type { NeededPermission } from '../../../core/types.ts';
import { Answer, permitOf } from '../../../services/transfer/identity.ts';
import { OWN, sessionOf } from './session.ts';

const upload = {
  action: 's3:PutObject',
  resource: `arn:aws:s3:::uploads/${OWN}1001/imports/1/a.csv`,
};
const use = {
  action: 'kms:GenerateDataKey',
  resource: 'arn:aws:kms:us-east-1:000000000000:key/k',
  context: { 'kms:ViaService': ['s3.us-east-1.amazonaws.com'] },
};

/** The check of a session whose calls on the bucket also use `uses`. */
const permitWith = (uses: readonly NeededPermission[]) => {
  const identity = v.parse(Answer, sessionOf('uploads'));
  if (identity === undefined) throw new Error('The session has no identity');
  return permitOf(identity, { requireRole: () => undefined, keyUsesOf: () => uses });
};

it('a session may use the key of the bucket for its files', () => {
  expect(() => permitWith([use])(upload)).not.toThrow();
});

it('the policy of a session also limits its use of keys', () => {
  const other = { ...use, action: 'kms:Encrypt' };
  expect(() => permitWith([use, other])(upload)).toThrow('the session policy does not allow this call');
});
