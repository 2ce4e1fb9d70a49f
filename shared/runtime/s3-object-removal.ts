import { DeleteObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { clientOptions } from './aws-client.ts';
import type { ObjectRemoval } from './ports.ts';

/** Lists and removes objects of the bucket of this name. */
export const objectRemoval = (bucket: string): ObjectRemoval => {
  const s3 = new S3Client({ ...clientOptions, forcePathStyle: true });
  return {
    list: async (folder) => {
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client: s3 },
        { Bucket: bucket, Prefix: folder },
      ))
        keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
      return keys;
    },
    remove: async (key) => {
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
  };
};
