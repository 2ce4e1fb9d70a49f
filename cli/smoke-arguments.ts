/** Arguments of `npm run smoke`. */
import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../shared/runtime/result.ts';

/** The arguments of a smoke run. */
export interface SmokeArguments {
  readonly stage: string;
  readonly rows: number;
  readonly cleanUp: boolean;
  readonly yes: boolean;
  readonly region?: string;
  readonly profile?: string;
}

export const smokeHelp = `Usage: npm run smoke -- --stage <name> [options]

Sends a small sample through a deployed stage as a client does, compares every figure, and deletes what it made.

    --stage <name>     the stage, such as dev; local is the service of npm start
    --rows <number>    rows of the sample, 1 to 10000 (1000)
    --clean-up         only delete what earlier runs left
    --yes              go on without a question
    --region <name>    region of the stage; by default that of the AWS configuration
    --profile <name>   profile of the AWS configuration
    --help             this text`;

const MOST_ROWS = 10_000;

/** Reads the command line. `help` when it asks for that; otherwise the arguments, or a sentence about a mistake. */
export const readSmokeArguments = (args: readonly string[]): Result<SmokeArguments | 'help', string> => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        stage: { type: 'string' },
        rows: { type: 'string', default: '1000' },
        region: { type: 'string' },
        profile: { type: 'string' },
        'clean-up': { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { stage, rows: text, region, profile, 'clean-up': cleanUp, yes, help } = values;
    if (help) return ok('help');
    if (stage === undefined)
      return err('A smoke run needs --stage with the name of a stage; --help explains it.');
    const rows = Number(text);
    if (!(Number.isInteger(rows) && rows >= 1 && rows <= MOST_ROWS))
      return err(`--rows takes a number from 1 to ${MOST_ROWS}, not ${text}.`);
    const place = { ...(region !== undefined && { region }), ...(profile !== undefined && { profile }) };
    return ok({ stage, rows, cleanUp, yes, ...place });
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
};
