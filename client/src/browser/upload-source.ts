/** The bytes of a file to upload, in a browser. Stands in for `../upload-source.ts` there. */

/** A file whose size is known and whose ranges the browser reads itself. */
export interface BrowserSource {
  readonly name: string | undefined;
  readonly size: number;
  range(offset: number, size: number): Blob;
}

/** Opens a file of a form. Throws a `TypeError` for a path, which means nothing in a browser. */
export const openSource = (source: string | Blob | Uint8Array<ArrayBuffer>): Promise<BrowserSource> => {
  if (typeof source === 'string') return Promise.reject(new TypeError('A browser has no path of a file.'));
  const blob = source instanceof Blob ? source : new Blob([source]);
  return Promise.resolve({
    name: source instanceof File ? source.name : undefined,
    size: blob.size,
    range: (offset, size) => blob.slice(offset, offset + size),
  });
};
