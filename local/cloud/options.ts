import type { Deployment } from '../assembly/deployment.ts';
import type { RouteBounds } from '../assembly/routes.ts';
import type { Faults } from '../core/faults.ts';
import type { Exchange } from '../http-api/server.ts';
import type { Strictness } from '../core/strictness.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Notice } from '../services/sns/topics.ts';
import type { Logs } from '../services/lambda/logs.ts';
import type { Invocation, RunnableFunction } from '../services/lambda/runner.ts';
import type { StartThread } from '../services/lambda/thread.ts';
import type { DynamoDb } from '../services/dynamodb/dynamodb.ts';

/** What the cloud must know of the application that it runs, besides its stacks. */
export interface Application {
  /** Synthesizes the stacks, into `outdir` or elsewhere. Returns the directory of the cloud assembly. */
  readonly synthesize: (outdir: string) => Promise<string>;
  /** Folder for the assembly and the logs of a run. The end of the run removes what it put there. */
  readonly runs: string;
  /** Short name of a function, workflow or schedule, for callers, meters and `invoke`. The default is the whole name. */
  readonly shortName?: Deployment['shortName'];
  /** What the stacks lack for this application, one sentence each. The cloud does not start with such stacks. */
  readonly problemsOf?: (deployment: Deployment) => readonly string[];
  /** Kind of item behind a partition key, for the meter. By default all items are of one kind. */
  readonly kindOf?: (partitionKey: string) => string;
  /** Short names of functions without faults, because they prepare the application for others. */
  readonly spared?: readonly string[];
  /** Bounds of concurrent requests, beyond which a route answers 429. */
  readonly bounds?: RouteBounds;
}

/** Options of a start. */
export interface CloudOptions {
  readonly application: Application;
  /** Port of the HTTP API. 0, the default, picks a free port. */
  readonly port?: number;
  /** Folder that keeps the state across restarts. Without it, the state ends with the process. */
  readonly dataDir?: string;
  readonly faults?: Faults;
  /** The limits of AWS to imitate. The default imitates none. */
  readonly strictness?: Strictness;
  /**
   * Keeps the history of the tables for which the template says so, as AWS does. The default keeps none, because each
   * write would store the item before it, too.
   */
  readonly backups?: boolean;
  /** Sandboxes that wait for their next invocation, of all functions together. Tests keep more of them than a laptop. */
  readonly idleSandboxes?: number;
  /**
   * Milliseconds until a message whose function failed returns for the first time, and twice as long each further time, up
   * to eight times. The default is a second. Tests that wait for a dead letter take less.
   */
  readonly firstReturnMs?: number;
  /** Milliseconds since the epoch, for schedules, executions and expiry. The default is the clock of the machine. */
  readonly now?: () => number;
  /** Folder for the logs of the functions. The default is a folder of this run, which the stop removes. */
  readonly logDir?: string;
  /** Puts another engine before or instead of the embedded DynamoDB, for tests that compare engines. */
  readonly tableEngine?: ((embedded: DynamoDb) => DynamoDb) | undefined;
  /** Changes the functions before the first of them runs, for benches that watch their calls. */
  readonly adaptFunctions?: (functions: readonly RunnableFunction[]) => readonly RunnableFunction[];
  /**
   * Starts the sandboxes of all functions. By default those behind routes run in the thread of the gateway, and each other
   * sandbox has a thread of its own. In `gatewayThread` all start quicker, for tests that need no sandbox.
   */
  readonly startThread?: StartThread;
  /** Called with each answer of a function to an HTTP request, for tests that compare answers with the API document. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Called with each message to a topic of alarms. */
  readonly onNotice?: (notice: Notice) => void;
}

/** What every part of the cloud gets: the options of the start, and what the start has opened before the parts. */
export interface PartsInput extends CloudOptions {
  readonly deployment: Deployment;
  readonly gateway: Gateway;
  readonly logs: Logs;
  readonly strictness: Strictness;
  readonly now: () => number;
  readonly onInvocation: (invocation: Invocation) => void;
  /** Receives a sentence about each failed delivery. */
  readonly report: (problem: string) => void;
}
