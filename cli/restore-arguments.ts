/** Arguments of `npm run restore`. */
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { err, ok, type Result } from '../shared/runtime/result.ts';

/** The arguments of a restore. */
export interface RestoreArguments {
  readonly stage: string;
  /** The time to which the data go back, in whole seconds. */
  readonly to: string;
  /** Name of the restored table. */
  readonly table: string;
  readonly lost: boolean;
  readonly plan: boolean;
  readonly yes: boolean;
  readonly profile?: string;
}

export const restoreHelp = `Usage: npm run restore -- --stage <name> --to <time> [options]

Sets the data of a stage in AWS back to an earlier time. It may be stopped, and goes on when it is run again.

    --stage <name>     the stage, such as prod
    --to <time>        the time, such as 2026-11-23T06:00:00Z: any second of the last 35 days
    --table <name>     name of the restored table; by default that of the stage with the time
    --lost             the table in use cannot be read: raise counters by gaps
    --plan             print the steps and those that are done; do nothing
    --yes              go on without a question
    --profile <name>   profile of the AWS configuration
    --help             this text`;

const time = v.pipe(v.string(), v.isoTimestamp());

/** 2026-11-23T06:00:00.000Z as 20261123t060000: names of tables have no colons. */
const compact = (to: string): string => to.slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase();

/** Reads the command line. `help` when it asks for that; otherwise the arguments, or a sentence about a mistake. */
export const readRestoreArguments = (args: readonly string[]): Result<RestoreArguments | 'help', string> => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        stage: { type: 'string' },
        to: { type: 'string' },
        table: { type: 'string' },
        profile: { type: 'string' },
        lost: { type: 'boolean', default: false },
        plan: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { stage, to, table, profile, lost, plan, yes, help } = values;
    if (help) return ok('help');
    if (stage === undefined || stage === 'local')
      return err('A restore needs --stage with a stage in AWS; --help explains it.');
    if (!v.is(time, to)) return err('A restore needs --to with a time, such as 2026-11-23T06:00:00Z.');
    const second = new Date(Math.floor(Date.parse(to) / 1_000) * 1_000).toISOString();
    const name = table ?? `tidemark-${stage}-${compact(second)}`;
    return ok({ stage, to: second, table: name, lost, plan, yes, ...(profile !== undefined && { profile }) });
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
};
