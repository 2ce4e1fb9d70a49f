/**
 * `npm run demo`: the whole service on one machine. Starts the service, imports a sample file, looks up a profile, pages
 * through a segment, exports it, receives the webhook, and checks every figure against the sample. `--once` exits at the
 * end; otherwise the service runs until Ctrl-C. `--rows` sets the size of the sample.
 */
import { rm } from 'node:fs/promises';
import { parseArgs, styleText } from 'node:util';
import { stopSignal } from '../local/start/stop-signal.ts';
import { type Endpoints, signIn } from './api-client.ts';
import { exportSegment, findSegment, importFile, lookUp, pageThrough } from './demo-steps.ts';
import { makeSample } from './sample.ts';
import { startService } from './service-process.ts';
import { count, duration, step, table } from './terminal.ts';
import { openWebhookInbox, type WebhookInbox } from './webhook-inbox.ts';

const { values: options } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    rows: { type: 'string', default: '10000' },
    port: { type: 'string', default: '8080' },
  },
});

const run = async (): Promise<boolean> => {
  const stopped = stopSignal();
  await rm('.local/endpoints.json', { force: true });
  const service = await step(
    'Start the service',
    () => startService(Number(options.port), ['--allow-private-targets']),
    ({ endpoints }) => endpoints.base_url,
  );
  const inbox = await openWebhookInbox();
  try {
    const passed = await Promise.race([showLine(service.endpoints, inbox), stopped]);
    if (passed !== undefined && !options.once) {
      console.log(
        `\nThe service runs on at ${service.endpoints.base_url} (documents: ${service.endpoints.docs_url}).`,
      );
      console.log('Sign-in data is in .local/endpoints.json. Ctrl-C stops it.');
      await stopped;
    }
    // An interrupted demo has no result.
    return passed ?? false;
  } finally {
    inbox.close();
    await service.stop();
  }
};

/** Runs the sample through the whole service, prints the results, and returns whether all figures are correct. */
const showLine = async (endpoints: Endpoints, inbox: WebhookInbox): Promise<boolean> => {
  const client = await signIn(endpoints);
  const property = endpoints.property_id;
  const sample = makeSample(Number(options.rows));
  const job = await importFile(client, property, sample);
  await lookUp(client, property, sample.email);
  const segment = await findSegment(client, property, sample.planted.tag);
  const members = await pageThrough(client, property, segment);
  const delivered = await exportSegment(client, property, segment, inbox);

  const figures = [
    ['rows ingested', job.counts.ingested, sample.planted.rows],
    ['rows completed', job.counts.completed, sample.planted.rows - sample.planted.refused],
    ['rows unserializable', job.counts.unserializable, sample.planted.refused],
    [`segment "${sample.planted.tag}"`, members, sample.planted.tagged],
    ['exported rows', delivered.rows, sample.planted.tagged],
  ] as const;
  console.log('');
  table([
    ...figures.map(([name, seen, planted]) => [name, `${count(seen)}${verdict(seen, planted)}`] as const),
    [
      'import',
      `${count(Math.round(sample.planted.rows / (job.milliseconds / 1000)))} rows/s, ${duration(job.milliseconds)}`,
    ],
    ['webhook', delivered.verified ? 'received, signature verified' : 'received, signature WRONG'],
    ['file', delivered.location],
  ]);
  return delivered.verified && figures.every(([, seen, planted]) => seen === planted);
};

const verdict = (seen: number, planted: number): string =>
  seen === planted
    ? styleText('green', '  as planted')
    : styleText('red', `  but ${count(planted)} were planted`);

try {
  process.exit((await run()) ? 0 : 1);
} catch (error) {
  console.error(styleText('red', error instanceof Error ? error.message : String(error)));
  process.exit(1);
}
