interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Replaces `@aws-sdk/credential-provider-node` in bundles; see `alias` in `lib/constructs/bundle.ts`. Lambda gives each
 * environment the credentials of the function's role in these variables, and they stay as they are as long as the
 * environment lives. The SDK's own provider also knows files, processes, single sign-on and metadata services: a third of
 * a bundle.
 */
export const defaultProvider = () => (): Promise<Credentials> => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    return Promise.reject(new Error('environment: the credentials of the role are not set'));
  return Promise.resolve({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
};
