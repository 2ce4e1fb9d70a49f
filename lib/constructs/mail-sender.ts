import { Aws } from 'aws-cdk-lib/core';
import type { Stage } from '../config/stages.ts';
import type { Reachable } from './service.ts';

/** What functions are told where a stage has no sender. */
const NO_SENDER = 'none';

/** The sender's address as functions get it. */
export const senderEmailOf = ({ senderEmail }: Stage): string => senderEmail ?? NO_SENDER;

/**
 * The address that mail is sent from. Its domain is an identity of SES that the operator has verified: it may serve more than
 * this service, so no stack owns it.
 */
export const mailSender = (stage: Stage): Reachable => {
  const value = senderEmailOf(stage);
  const domain = value.split('@').at(-1) ?? NO_SENDER;
  return { value, arn: `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/${domain}` };
};
