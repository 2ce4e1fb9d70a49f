/** The errors of an upload, besides those of the service. */

/**
 * The store of files refused a part, or did not take it.
 * @example
 * ```ts
 * try {
 *   await tidemark.uploadFile({ importId: 1001000000001, file: 'visitors.csv' });
 * } catch (error) {
 *   if (error instanceof UploadError) console.log(error.status, error.message);
 *   else throw error;
 * }
 * ```
 * @public
 */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  /** The HTTP status, if an answer came. */
  readonly status: number | undefined;

  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

/**
 * A file is not the file that the upload began with: the parts would not fit together.
 * @example
 * ```ts
 * const { jobId } = await tidemark
 *   .uploadFile({ importId: 1001000000001, file: 'visitors.csv' })
 *   .catch((error: unknown) => {
 *     if (error instanceof FileChangedError) console.log('Upload the file anew.');
 *     throw error;
 *   });
 * ```
 * @public
 */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';

  constructor() {
    super('The file changed while it was uploaded.');
  }
}

/** Throws the refusal in an answer of the store. 412: an earlier attempt, whose answer was lost, has stored the file. */
export const refuse = (status: number, body: string): void => {
  if (status === 200 || status === 412) return;
  throw new UploadError(`The upload answered ${status}: ${reasonIn(body)}`, status);
};

/** The code and the sentence of an error of S3. Its other elements may contain the signature of the address. */
const reasonIn = (xml: string): string => {
  const [code, message] = ['Code', 'Message'].map((name) => new RegExp(`<${name}>([^<]*)</`).exec(xml)?.[1]);
  return [code, message].filter(Boolean).join(': ').slice(0, 500) || 'no reason';
};
