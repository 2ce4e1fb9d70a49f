import type { FunctionEntry } from '../../functions/entry.ts';
import type { AppFactory } from '../assembly/synth.ts';
import type { Faults } from '../core/faults.ts';
import type { Exchange } from '../http-api/server.ts';
import type { Strictness } from '../core/strictness.ts';
import type { Notice } from '../services/sns/topics.ts';
import type { RunnableFunction } from '../services/lambda/runner.ts';
import type { DynamoDb } from '../services/dynamodb/dynamodb.ts';

/** Options of a start. */
export interface CloudOptions {
  /** Port of the HTTP API. 0, the default, picks a free port. */
  readonly port?: number;
  /** Folder that keeps the state across restarts. Without it, the state ends with the process. */
  readonly dataDir?: string;
  /** CDK context: settings of the stage, as text. */
  readonly context?: Readonly<Record<string, string>>;
  readonly faults?: Faults;
  /** The limits of AWS to imitate. The default imitates none. */
  readonly strictness?: Strictness;
  /**
   * Keeps the history of the tables for which the template says so, as AWS does. The default keeps none, because each
   * write would store the item before it, too.
   */
  readonly backups?: boolean;
  /** Allows webhooks and SFTP to reach loopback, with `http:` too. */
  readonly allowPrivateTargets?: boolean;
  /** Functions of the manifest to warm up during the start. Tests warm none, because they start many clouds. */
  readonly warm?: readonly string[];
  /** Sandboxes that wait for their next invocation, of all functions together. Tests keep more of them than a laptop. */
  readonly idleSandboxes?: number;
  /** Milliseconds since the epoch, for schedules, executions and expiry. The default is the clock of the machine. */
  readonly now?: () => number;
  /** File for the addresses of the service. Without it, the start writes no file. */
  readonly endpointsFile?: string;
  /** Folder for the logs of the functions. The default is a folder of this run, which the stop removes. */
  readonly logDir?: string;
  /** Puts another engine before or instead of the embedded DynamoDB, for tests that compare engines. */
  readonly tableEngine?: ((embedded: DynamoDb) => DynamoDb) | undefined;
  /** Changes the functions before the first of them runs, for benches that watch their calls. */
  readonly adaptFunctions?: (functions: readonly RunnableFunction[]) => readonly RunnableFunction[];
  /** Called with each answer of a function to an HTTP request, for tests that compare answers with the API document. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Called with each message to a topic of alarms. */
  readonly onNotice?: (notice: Notice) => void;
  /** Another application with its own manifest, for tests of the cloud. */
  readonly application?: Application;
}

/** An application: its app factory and its functions. */
export interface Application {
  readonly factory: AppFactory;
  readonly manifest: Readonly<Record<string, FunctionEntry>>;
  /** Whether the start creates the demo accounts. */
  readonly seeded: boolean;
}
