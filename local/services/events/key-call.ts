import { ACCOUNT, REGION } from '../../core/arn.ts';
import type { BusEvent } from './object-created.ts';

/** A call that changed a key. */
export interface KeyCall {
  /** `DisableKey`. */
  readonly name: string;
  readonly keyArn: string;
  /** ARN of the caller. */
  readonly by: string;
}

/**
 * The event of such a call, as CloudTrail sends it to EventBridge (KMS guide, "DisableKey" under "Logging AWS KMS API
 * calls"), without the fields that say how it was called.
 */
export const keyCallEvent = ({ name, keyArn, by }: KeyCall, id: string, time: Date): BusEvent => ({
  version: '0',
  id,
  'detail-type': 'AWS API Call via CloudTrail',
  source: 'aws.kms',
  account: ACCOUNT,
  time: time.toISOString().replace(/\.\d+Z$/, 'Z'),
  region: REGION,
  resources: [],
  detail: {
    eventSource: 'kms.amazonaws.com',
    eventName: name,
    awsRegion: REGION,
    userIdentity: { arn: by },
    requestParameters: { keyId: keyArn },
    resources: [{ ARN: keyArn, accountId: ACCOUNT, type: 'AWS::KMS::Key' }],
    readOnly: false,
  },
});
