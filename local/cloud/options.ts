import type { FunctionEntry } from '../../functions/entry.ts';
import type { AppFactory } from '../assembly/synth.ts';
import type { Faults } from '../core/faults.ts';

/** How to start the cloud. */
export interface CloudOptions {
  /** Port of the HTTP API; 0 (the default) picks one. */
  readonly port?: number;
  /** Folder in which state is kept over restarts; without it nothing outlives the process. */
  readonly dataDir?: string;
  /** CDK context: settings of the stage, as text. */
  readonly context?: Readonly<Record<string, string>>;
  readonly faults?: Faults;
  /** Lets webhooks and SFTP reach loopback, `http:` included. */
  readonly allowPrivateTargets?: boolean;
  /** Functions of the manifest to get ready before the start is done; none in tests, which start many clouds. */
  readonly warm?: readonly string[];
  /** Milliseconds since the epoch, for schedules and execution times; the machine's clock when absent. */
  readonly now?: () => number;
  /** File that says where everything is; none is written when absent. */
  readonly endpointsFile?: string;
  /** Folder of the functions' logs; one of this run alone, removed at its end, when absent. */
  readonly logDir?: string;
  /** Another application than the service, with its own manifest: for tests of the cloud itself. */
  readonly application?: Application;
}

/** Something to run: how it is synthesized, and the functions it should have. */
export interface Application {
  readonly factory: AppFactory;
  readonly manifest: Readonly<Record<string, FunctionEntry>>;
  /** Whether a fresh start makes accounts. */
  readonly seeded: boolean;
}
