/** Account id of the embedded cloud. */
export const ACCOUNT = '000000000000';

/** Region of the embedded cloud. */
export const REGION = 'us-east-1';

/** `arn:aws:<service>:us-east-1:000000000000:<resource>`. */
export const arn = (service: string, resource: string): string =>
  `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** The account in an ARN of IAM or STS; empty for other texts. */
export const accountOf = (text: string): string => text.split(':')[4] ?? '';
