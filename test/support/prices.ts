/** List prices of us-east-1 in dollars, from the pricing page of each service, November 2026. Free tiers are not taken off. */
export const prices = {
  /** DynamoDB, on demand: a read unit, a write unit, a GB and its recovery for a month. */
  readUnit: 0.125 / 1e6,
  writeUnit: 0.625 / 1e6,
  storedGigabyte: 0.25,
  recoveredGigabyte: 0.2,
  /** DynamoDB, the class for rare access: a write unit, and a GB for a month. */
  rareWriteUnit: 0.78 / 1e6,
  rareGigabyte: 0.1,
  /** API Gateway: a request to an HTTP API. */
  request: 1 / 1e6,
  /** Lambda: a call, and a GB-second of an ARM function. */
  call: 0.2 / 1e6,
  gigabyteSecond: 0.0000133334,
  /** CloudWatch Logs: a GB of lines, also of the gateway's access log. */
  logGigabyte: 0.5,
  /** CloudWatch: a metric of a standard alarm, a month. Metric math is charged for each metric that it reads. */
  alarmMetric: 0.1,
  /** CloudWatch: a dashboard, a month. */
  dashboard: 3,
  /** KMS: a customer key, a month. Each of its first two yearly rotations adds as much. */
  key: 1,
  /** KMS: a request. */
  keyRequest: 0.03 / 10_000,
  /** SQS: a request to a standard queue, and to a FIFO queue. */
  queueRequest: { standard: 0.4 / 1e6, fifo: 0.5 / 1e6 },
  /** EventBridge Scheduler: a call. */
  scheduledCall: 1 / 1e6,
} as const;
