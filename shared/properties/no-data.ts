/**
 * A property has an owner and no data: it was made after the time to which the table of data was restored. Nothing else
 * makes such a property, so no use case handles it; the handler of requests answers it.
 */
export class NoPropertyDataError extends Error {
  override readonly name = 'NoPropertyDataError';
}
