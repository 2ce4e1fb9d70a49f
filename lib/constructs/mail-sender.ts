import { Aws } from 'aws-cdk-lib/core';
import type { Stage } from '../config/stages.ts';
import type { Reachable } from './service.ts';

/** Value of the sender setting in a stage without a sender. */
const NO_SENDER = 'none';

/** The sender's address, as functions receive it. */
export const senderEmailOf = ({ senderEmail }: Stage): string => senderEmail ?? NO_SENDER;

/**
 * The sender address of mails. The operator verifies its domain in SES. Other services may use the same domain, so no
 * stack owns it. SES asks for more than the identity of the domain: for the very address if it is verified too, for the
 * default configuration set of the identity, and in the sandbox for the recipient. So the grant names every identity and
 * set of the account, and bounds the address of the sender instead.
 */
export const mailSender = (stage: Stage): Reachable => {
  const value = senderEmailOf(stage);
  const ses = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}`;
  return {
    value,
    arn: `${ses}:identity/*`,
    alsoArns: [`${ses}:configuration-set/*`],
    demands: { 'ses:FromAddress': value },
  };
};
