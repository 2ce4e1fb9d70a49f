/**
 * S3 objects: the calls to S3 that list objects or send them in parts, with the client of the SDK. Their answers are XML.
 */
import type { _Object } from '@aws-sdk/client-s3';
import type { ListedObject, ObjectStore } from './ports.ts';
import { putMultipart } from './s3-multipart.ts';
import type { LoadedS3 } from './s3-sdk.ts';

/** The objects of the bucket of this name. */
export const objectsOf = (
  s3: LoadedS3,
  Bucket: string,
): Pick<ObjectStore, 'list' | 'listAfter' | 'putStream'> => {
  const { sdk, client } = s3;
  return {
    putStream: (Key, body, { contentType } = {}) =>
      putMultipart(
        s3,
        { Bucket, Key, ...(contentType === undefined ? {} : { ContentType: contentType }) },
        body,
      ),
    list: async (folder) => {
      const keys: string[] = [];
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: folder }))
        keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
      return keys;
    },
    listAfter: async (folder, after) => {
      const place = { Bucket, Prefix: folder, ...(after === '' ? {} : { StartAfter: after }) };
      // XML cannot hold every character that an SFTP client may put into a name.
      const page = await client.send(new sdk.ListObjectsV2Command({ ...place, EncodingType: 'url' }));
      return (page.Contents ?? []).map(listedOf);
    },
  };
};

const listedOf = ({ Key, Size, ETag, LastModified }: _Object): ListedObject => {
  if (Key === undefined || Size === undefined || ETag === undefined || LastModified === undefined)
    throw new Error('s3: a listing came without key, size, tag or time');
  const key = decodeURIComponent(Key.replaceAll('+', ' '));
  return { key, size: Size, etag: ETag, modified: LastModified.getTime() };
};
