/** Restore ports: the ports of the steps of a restore, and the type of a step's answer. */
import type { Result } from '../shared/runtime/result.ts';
import type { AdminAnswer } from './admin-service.ts';
import type { RestoreAccount } from './restore-account.ts';
import type { StateChange } from './restore-state.ts';

/** The settings of the stage, in its file. */
export interface SettingsFile {
  read(): Readonly<Record<string, unknown>>;
  write(settings: Readonly<Record<string, unknown>>): void;
}

/** Ports of a restore. */
export interface RestorePorts {
  readonly account: RestoreAccount;
  readonly settings: SettingsFile;
  /** Runs a command of operators with a function, by default `operator`. */
  readonly ask: (command: Readonly<Record<string, unknown>>, asked?: string) => Promise<AdminAnswer>;
  /** Deploys the stage with the settings of its file. It may leave this table, and take nothing else away. */
  readonly deploy: (leaving?: string) => Promise<boolean>;
  /** Whether the service answers clients. */
  readonly isHealthy: () => Promise<boolean>;
  /** Asks the operator. A sentence is the reason why nothing may be done. */
  readonly agree: (question: string) => Promise<string | undefined>;
  /** Whether the tables of the stage refuse their deletion. */
  readonly keepData: boolean;
  /** The warm throughput of the stage; 0 for that of every new table. */
  readonly warmUnits: { readonly readUnits: number; readonly writeUnits: number };
  /** After this time nothing runs any more that ran when the stage was closed. */
  readonly quietSeconds: number;
  readonly say: (line: string) => void;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

/** The outcome of a step: what it adds to the state, or a sentence about what stands in its way. */
export type StepResult = Result<StateChange, string>;
