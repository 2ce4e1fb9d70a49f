import type { Cloud } from '../../local/cloud/cloud.ts';

/** The name of a bucket of the service on the embedded cloud. */
export const bucketOf = (
  { deployment }: Pick<Cloud, 'deployment'>,
  bucket: 'uploads' | 'work' | 'exports',
): string => {
  const found = deployment.buckets.find(({ name }) => name.includes(`-${bucket}`));
  if (!found) throw new Error(`there is no bucket of ${bucket}`);
  return found.name;
};
