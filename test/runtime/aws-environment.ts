import { vi } from 'vitest';

/** Lets clients of AWS call a gateway at this address as `tester`, until the environment is given back. */
export const stubAws = (url: string, region = 'eu-west-1'): void => {
  vi.stubEnv('AWS_ENDPOINT_URL', url);
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAtester');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-of-tester');
};
