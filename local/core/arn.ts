/** Account that the embedded cloud pretends to be. */
export const ACCOUNT = '000000000000';
/** Region that the embedded cloud pretends to be in. */
export const REGION = 'us-east-1';

/** `arn:aws:<service>:us-east-1:000000000000:<resource>`. */
export const arn = (service: string, resource: string): string =>
  `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
