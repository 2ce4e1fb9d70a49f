/** Command line of `npm start`: reads the options. */
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseFaults } from '../../../local/core/faults.ts';
import {
  newAccount,
  type LatencyRange,
  parseConcurrency,
  parseLatency,
  parseTableUnits,
  type Strictness,
  type TableUnits,
} from '../../../local/core/strictness.ts';
import { ENDPOINTS_FILE } from '../endpoints.ts';
import { ROOT } from '../root.ts';
import type { TidemarkOptions } from '../tidemark.ts';

const DEFAULT_PORT = 8080;

/** The functions that the first import needs: as many as the runner keeps idle. */
const firstUsed = [
  ...['createUpload', 'getImportJob', 'startImport', 'inspectFile', 'splitFile', 'settleImport'],
  ...['importBatch', 'drain'],
];

const unitsText = ({ write, read }: TableUnits): string => `${write}:${read}`;
const rangeText = ({ p50, p99 }: LatencyRange): string => `${p50}:${p99}`;

/** The text of `--help`. */
export const USAGE = `npm start -- [options]

  --port <number>          port of the service, 0 picks a free one (${DEFAULT_PORT})
  --data <folder>          keep the state there across restarts
  --context <key=value>    a setting of the stage, for example momentIntervalSeconds=5; may be repeated
  --faults <seed>:<rate>   disturb AWS calls, deliveries and workers, the same way for the same seed
  --backups                keep the history of the tables, for restores to a point in time
  --allow-private-targets  let webhooks, enrichers and SFTP reach this machine, http: included
  --endpoints <file>       file for the addresses (${ENDPOINTS_FILE}); logs go beside it

Limits of AWS, which the embedded cloud imitates on request:

  --table-units <write>:<read>  request units per second, beyond which the table throttles
  --latency <p50>:<p99>         milliseconds of a table call; calls to other services take longer in proportion
  --real-visibility             failed messages stay invisible for the visibility timeout of the template
  --real-concurrency <number>   concurrent executions of all functions, with mappings as wide as in the template
  --strict                      all four with the limits of a new AWS account: ${unitsText(newAccount.tableUnits)},
                                ${rangeText(newAccount.latency)}, ${newAccount.realConcurrency}; a single option changes its limit`;

/** A mistake on the command line, in one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads the command line. Throws UsageError for invalid options. */
export const readOptions = (args: readonly string[]): TidemarkOptions | 'help' => {
  const values = parse(args);
  if (values.help === true) return 'help';
  const endpointsFile = resolve(values.endpoints ?? join(ROOT, ENDPOINTS_FILE));
  return {
    port: values.port === undefined ? DEFAULT_PORT : portOf(values.port),
    context: contextOf(values.context ?? []),
    backups: values.backups === true,
    allowPrivateTargets: values['allow-private-targets'] === true,
    warm: firstUsed,
    strictness: strictnessOf(values),
    endpointsFile,
    logDir: join(dirname(endpointsFile), 'logs'),
    ...(values.data === undefined ? {} : { dataDir: resolve(values.data) }),
    ...(values.faults === undefined ? {} : { faults: faultsOf(values.faults) }),
  };
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        backups: { type: 'boolean' },
        context: { type: 'string', multiple: true },
        faults: { type: 'string' },
        endpoints: { type: 'string' },
        'table-units': { type: 'string' },
        latency: { type: 'string' },
        'real-visibility': { type: 'boolean' },
        'real-concurrency': { type: 'string' },
        strict: { type: 'boolean' },
        'allow-private-targets': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)} (--help lists the options)`,
    );
  }
};

/** Reads the number of a port. Throws UsageError for another text. */
export const portOf = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port takes a number from 0 to 65535, not ${text}.`);
  return port;
};

const contextOf = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--context takes key=value, not ${pair}.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const faultsOf = (text: string): ReturnType<typeof parseFaults> => {
  try {
    return parseFaults(text);
  } catch {
    throw new UsageError(`--faults takes <seed>:<rate> with a rate from 0 to 1, not ${text}.`);
  }
};

type Values = ReturnType<typeof parse>;

const strictnessOf = (values: Values): Strictness => ({
  ...(values.strict === true ? newAccount : {}),
  ...(values['table-units'] === undefined ? {} : { tableUnits: tableUnitsOf(values['table-units']) }),
  ...(values.latency === undefined ? {} : { latency: latencyOf(values.latency) }),
  ...(values['real-visibility'] === true ? { realVisibility: true } : {}),
  ...(values['real-concurrency'] === undefined
    ? {}
    : { realConcurrency: concurrencyOf(values['real-concurrency']) }),
});

const tableUnitsOf = (text: string): TableUnits => {
  const units = parseTableUnits(text);
  if (!units)
    throw new UsageError(`--table-units takes <write>:<read> with whole numbers from 1, not ${text}.`);
  return units;
};

const latencyOf = (text: string): LatencyRange => {
  const range = parseLatency(text);
  if (!range)
    throw new UsageError(`--latency takes <p50>:<p99> in milliseconds, p99 not below p50, not ${text}.`);
  return range;
};

const concurrencyOf = (text: string): number => {
  const count = parseConcurrency(text);
  if (count === undefined)
    throw new UsageError(`--real-concurrency takes a whole number from 1, not ${text}.`);
  return count;
};
