import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { s3Options } from './aws-client.ts';

/** Folders of a bucket, to be emptied. */
export interface Folders {
  /** Removes up to 1,000 objects below a prefix, and returns how many it found: 0 once the folder is empty. */
  removeSome(prefix: string): Promise<number>;
}

let client: S3Client | undefined;

/** The folders of the bucket of this name. Buckets keep no versions, so a removed object is gone. */
export const bucketFolders = (bucket: string): Folders => {
  client ??= new S3Client(s3Options());
  const s3 = client;
  return {
    removeSome: async (prefix) => {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
      if (Objects.length === 0) return 0;
      const { Errors = [] } = await s3.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
      );
      if (Errors.length > 0)
        throw new Error(`s3: ${Errors.length} objects stayed, ${Errors[0]?.Code ?? 'no reason told'}`);
      return Objects.length;
    },
  };
};
