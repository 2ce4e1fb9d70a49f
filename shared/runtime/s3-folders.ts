import { ownS3 } from './s3-sdk.ts';

/** Folders of a bucket, to be emptied. */
export interface Folders {
  /** Removes up to 1,000 objects below a prefix, and returns how many it found: 0 once the folder is empty. */
  removeSome(prefix: string): Promise<number>;
}

/** The folders of the bucket of this name. Buckets keep no versions, so a removed object is gone. */
export const bucketFolders = (bucket: string): Folders => {
  return {
    removeSome: async (prefix) => {
      const { sdk, client } = await ownS3();
      const list = new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix });
      const { Contents = [] } = await client.send(list);
      const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
      if (Objects.length === 0) return 0;
      const { Errors = [] } = await client.send(
        new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
      );
      if (Errors.length > 0)
        throw new Error(`s3: ${Errors.length} objects stayed, ${Errors[0]?.Code ?? 'no reason told'}`);
      return Objects.length;
    },
  };
};
