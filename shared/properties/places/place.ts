/**
 * Place: where the service, or somebody whom a customer named, keeps something, and what becomes of the data of people
 * there. `places.ts` has the list of all places. No function imports it: `docs/privacy.md` is made from it, and tests
 * compare it with the keys, the folders and the templates.
 */

/** When the data of a place goes by itself. A setting is that of the stage (`lib/config/stages.ts`). */
export type End =
  | { readonly days: number }
  | { readonly hours: number }
  | { readonly setting: 'logRetention' | 'nameLogRetention' }
  /** Nothing goes by itself: what has to happen. */
  | { readonly with: string };

/** Who removes the data of a place at its end. */
export const emptiers = {
  expiry: 'DynamoDB, by the expiry of each item',
  lifecycle: 'S3, by the lifecycle of the bucket',
  queue: 'SQS, unless a worker was earlier',
  logs: 'CloudWatch Logs',
  aws: 'AWS',
  service: 'the service',
  client: 'the client, by the API',
  operator: 'the operator, by a command',
  receiver: 'the receiver',
} as const;

/** What the forgetting of a person does to a place. */
export const forgettings = {
  removed: 'removed at once',
  soon: 'removed within hours',
  freed: 'leads to nobody at once',
  unnamed: 'stays; names nobody',
  numbers: 'stays as numbers',
  stays: 'stays until then',
  closed: 'stays; nobody gets it',
  proof: 'stays, as the proof',
  replayed: 'repeated after a restore',
  elsewhere: 'not told',
  users: 'of users only',
} as const;

/** Whether the answer to an access request has the data of a place. */
export const accesses = { yes: 'yes', no: 'no', marks: 'as values' } as const;

/** What a place keeps of people, and what becomes of it. */
export interface Kept {
  /** In the words of a person who reads the record of processing. */
  readonly what: string;
  readonly end: End;
  /** More about the end, such as another time for some of the data. */
  readonly besides?: string;
  readonly emptiedBy: keyof typeof emptiers;
  readonly forgetting: keyof typeof forgettings;
  readonly access: keyof typeof accesses;
}

/** A place by its name. `keeps` is `null` where nothing tells of a person: numbers, ids of things, counts. */
export interface Place {
  readonly name: string;
  readonly keeps: Kept | null;
}
