/** The part of `@aws-sdk/client-sqs` that functions use; it lies beside their bundles. See `lib/constructs/bundle.ts`. */
export {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
