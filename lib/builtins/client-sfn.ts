/** The part of `@aws-sdk/client-sfn` that functions use; it lies beside their bundles. See `lib/constructs/bundle.ts`. */
export { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
