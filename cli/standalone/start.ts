/** Starts the service on the embedded cloud, and runs it until a signal stops it. `npm start -- --help` lists the options. */
import { relative } from 'node:path';
import { explain } from './start/explain.ts';
import { describeCloud } from './start/describe.ts';
import { noticeLine } from './start/notice.ts';
import { USAGE, readOptions } from './start/options.ts';
import { stopSignal } from './start/stop-signal.ts';
import { startTidemark } from './tidemark.ts';

/** Files and folders of the service are for its owner alone: they keep people, logs and secrets. */
const PRIVATE_UMASK = 0o077;

const main = async (): Promise<void> => {
  process.umask(PRIVATE_UMASK);
  const given = readOptions(process.argv.slice(2));
  if (given === 'help') {
    console.log(USAGE);
    return;
  }
  const started = performance.now();
  const stopping = stopSignal();
  const cloud = await Promise.race([
    startTidemark({ ...given, onNotice: (notice) => console.log(noticeLine(notice)) }),
    stopping,
  ]);
  if (!cloud) return;
  const file = relative(process.cwd(), given.endpointsFile ?? '');
  const seconds = (performance.now() - started) / 1000;
  console.log(
    describeCloud(cloud.endpoints, {
      seconds,
      file,
      faults: given.faults,
      strictness: given.strictness ?? {},
    }),
  );
  await stopping;
  await cloud.stop();
};

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
