import * as v from 'valibot';
import { ignored } from './common.ts';

/** AWS::Transfer::Server: SFTP on S3 with a Lambda identity provider. */
export const TransferServer = v.strictObject({
  Domain: v.literal('S3'),
  EndpointType: v.literal('PUBLIC'),
  Protocols: v.strictTuple([v.literal('SFTP')]),
  IdentityProviderType: v.literal('AWS_LAMBDA'),
  IdentityProviderDetails: v.strictObject({
    Function: v.string(),
    SftpAuthenticationMethods: v.literal('PUBLIC_KEY_OR_PASSWORD'),
  }),
  ProtocolDetails: v.strictObject({ SetStatOption: v.literal('ENABLE_NO_OP') }),
  S3StorageOptions: v.strictObject({ DirectoryListingOptimization: v.literal('ENABLED') }),
  SecurityPolicyName: v.optional(v.string()),
  StructuredLogDestinations: v.optional(v.array(v.string()), []),
  Tags: ignored,
});
