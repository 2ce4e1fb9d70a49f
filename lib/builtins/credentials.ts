import { credentialsFromEnv, type RoleCredentials } from '../../shared/runtime/aws-environment.ts';

/**
 * Replaces `@aws-sdk/credential-provider-node` in bundles; see `alias` in `lib/constructs/bundle.ts`. The SDK's own
 * provider also knows files, processes, single sign-on and metadata services: a third of a bundle.
 */
export const defaultProvider = () => (): Promise<RoleCredentials> => credentialsFromEnv();
