/** The client of Tidemark. */
export type * from './generated/schema.ts';
export { List } from './listing.ts';
export type { Ports } from './ports.ts';
export {
  type Fault,
  type ProblemCode,
  TidemarkConnectionError,
  TidemarkProblem,
  UnexpectedAnswerError,
} from './problem.ts';
export { type Credentials, NotSignedInError, type Token } from './session.ts';
export { type Access, Tidemark, type TidemarkOptions } from './tidemark.ts';
export type { Answer, Input, Item, ListName, OperationName, RawInput } from './types.ts';
export type { Upload, UploadProgress } from './upload.ts';
export { FileChangedError, UploadError } from './upload-error.ts';
export type { UploadSource } from './upload-source.ts';
export type { ExportWait, ImportWait, SegmentWait } from './waiting.ts';
export {
  verifyWebhook,
  type VerifiedWebhook,
  type WebhookCall,
  WebhookError,
  type WebhookEvent,
  type WebhookFault,
  type WebhookHeaders,
} from './webhooks.ts';
