/** IAM actions behind the use of queues, for the access lists of the manifest. */
export const queueActions = {
  send: ['sqs:SendMessage'],
  /** The event source mapping receives and deletes; the handler gives back messages or sends copies of them. */
  consume: [
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    'sqs:ChangeMessageVisibility',
    'sqs:SendMessage',
  ],
} as const;
