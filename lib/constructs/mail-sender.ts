import { Aws } from 'aws-cdk-lib/core';
import type { Stage } from '../config/stages.ts';
import type { Reachable } from './service.ts';

/** Value of the sender setting in a stage without a sender. */
const NO_SENDER = 'none';

/** The sender's address, as functions receive it. */
export const senderEmailOf = ({ senderEmail }: Stage): string => senderEmail ?? NO_SENDER;

/**
 * The sender address of mails. The operator verifies its domain in SES. Other services may use the same domain, so no
 * stack owns it.
 */
export const mailSender = (stage: Stage): Reachable => {
  const value = senderEmailOf(stage);
  const domain = value.split('@').at(-1) ?? NO_SENDER;
  return { value, arn: `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/${domain}` };
};
