/**
 * `npm run demo`: the whole service on one machine. Starts the service, imports a sample file, looks up a profile, pages
 * through a segment, exports it, receives the webhook, and checks every figure against the sample. `--once` exits at the
 * end; otherwise the service runs until Ctrl-C. `--rows` sets the size of the sample. `--strict` gives the service the
 * limits of a new AWS account.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { ENDPOINTS_FILE, runningService } from './standalone/endpoints.ts';
import { portOf } from './standalone/start/options.ts';
import { stopSignal } from './standalone/start/stop-signal.ts';
import { type Endpoints, signIn } from './endpoints.ts';
import { figureRow, figuresOf, isAsPlanted } from './demo-figures.ts';
import { exportSegment, findSegment, importFile, lookUp, pageThrough } from './demo-steps.ts';
import { makeSample } from './sample.ts';
import { startService } from './service-process.ts';
import { count, duration, step, table } from './terminal.ts';
import { openWebhookInbox, type WebhookInbox } from './webhook-inbox.ts';

const USAGE = `npm run demo -- [options]

  --once           end after the demo; otherwise the service runs until Ctrl-C
  --rows <number>  rows of the sample (10000)
  --port <number>  port of the service, or a free port when it is taken (8080)
  --strict         the service has the limits of a new AWS account`;

interface Options {
  readonly once: boolean;
  readonly rows: number;
  readonly port: number;
  readonly strict: boolean;
}

/** Reads the command line. Throws an error with one sentence for a wrong option. */
const readOptions = (): Options | 'help' => {
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: false },
      rows: { type: 'string', default: '10000' },
      port: { type: 'string', default: '8080' },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const rows = Number(values.rows);
  if (!(Number.isInteger(rows) && rows >= 1))
    throw new Error(`--rows takes a number from 1, not ${values.rows}.`);
  return { once: values.once, rows, port: portOf(values.port), strict: values.strict };
};

/** File for the addresses: the usual file, or a file of its own while another service uses the usual file. */
const freeEndpointsFile = async (): Promise<string> =>
  (await runningService(ENDPOINTS_FILE)) === undefined
    ? ENDPOINTS_FILE
    : join(await mkdtemp(join(tmpdir(), 'tidemark-demo-')), 'endpoints.json');

const run = async (options: Options): Promise<boolean> => {
  const stopped = stopSignal();
  const endpointsFile = await freeEndpointsFile();
  const settings = ['--allow-private-targets', ...(options.strict ? ['--strict'] : [])];
  const service = await step(
    'Start the service',
    () => startService(options.port, settings, { endpointsFile }),
    ({ endpoints }) => `${endpoints.base_url}/console`,
  );
  const inbox = await openWebhookInbox();
  try {
    const passed = await Promise.race([showLine(service.endpoints, inbox, options), stopped]);
    if (passed !== undefined && !options.once) {
      console.log(
        `\nLook at the result in the console: ${service.endpoints.base_url}/console (one click signs in).\nThe API is documented at ${service.endpoints.docs_url}.`,
      );
      console.log(`Sign-in data is in ${endpointsFile}. Ctrl-C stops it.`);
      await stopped;
    }
    if (passed === undefined) console.log('\nInterrupted.');
    return passed ?? false;
  } finally {
    inbox.close();
    await service.stop();
    if (endpointsFile !== ENDPOINTS_FILE) await rm(dirname(endpointsFile), { recursive: true, force: true });
  }
};

/** Runs the sample through the whole service, prints the results, and returns whether all figures are correct. */
const showLine = async (
  endpoints: Endpoints,
  inbox: WebhookInbox,
  { once, rows }: Options,
): Promise<boolean> => {
  const client = await signIn(endpoints);
  const sample = makeSample(rows);
  const job = await importFile(client, sample);
  await lookUp(client, sample.email);
  const segment = await findSegment(client, sample.planted.tag);
  const members = await pageThrough(client, segment);
  const delivered = await exportSegment(client, segment, inbox);

  const figures = figuresOf(sample, { ...job.counts, members, exported: delivered.rows });
  console.log('');
  table([
    ...figures.map(figureRow),
    [
      'import',
      `${count(Math.round(sample.planted.rows / (job.milliseconds / 1000)))} rows/s, ${duration(job.milliseconds)}`,
    ],
    ['webhook', delivered.verified ? 'received, signature verified' : 'received, signature WRONG'],
    // The link ends with the service.
    ...(once ? [] : [['file', delivered.location] as const]),
  ]);
  return delivered.verified && figures.every(isAsPlanted);
};

try {
  const options = readOptions();
  if (options === 'help') console.log(USAGE);
  process.exit(options === 'help' || (await run(options)) ? 0 : 1);
} catch (error) {
  console.error(styleText('red', error instanceof Error ? error.message : String(error)));
  process.exit(1);
}
