import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startService } from '../../cli/service-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { median, spreadOf, timed } from '../support/measure.ts';
import { scenario } from '../support/scenario.ts';

/** Starts Node with one line that serves HTTP, until it listens. */
const startBareServer = async (): Promise<void> => {
  const code = "require('node:http').createServer().listen(0, '127.0.0.1', () => process.exit())";
  const exited: unknown[] = await once(spawn(process.execPath, ['-e', code]), 'exit');
  if (exited[0] !== 0) throw new Error('the bare server did not start');
};

export default scenario({
  name: 'ready',
  title: 'Start the embedded cloud',
  about:
    '`npm start` until the service answers, with the functions and stacks that an earlier start built. The floor is a Node process that serves bare HTTP.',
  sizes: { ci: { starts: 2 }, full: { starts: 10 } },
  run: async ({ starts }, report) => {
    await using folder = await temporaryFolder();
    const endpointsFile = join(folder.path, 'endpoints.json');
    const started: number[] = [];
    const bare: number[] = [];
    // The first start may build functions and stacks.
    for (let round = 0; round <= starts; round += 1) {
      report.progress(`start ${round}`);
      const { result: service, seconds } = await timed(() => startService(0, [], { endpointsFile }));
      await service.stop();
      const floor = await timed(startBareServer);
      if (round === 0) {
        report.time('first start of the run', seconds, 's');
        continue;
      }
      started.push(seconds);
      bare.push(floor.seconds);
    }
    report.ratio('a start', spreadOf(started.map((seconds, index) => seconds / (bare[index] ?? NaN))));
    report.time('a start', median(started), 's');
    report.time('a bare server', median(bare), 's');
    report.chart({
      kind: 'bars',
      unit: 'seconds of this machine',
      bars: [
        { name: 'a bare server', value: median(bare) },
        { name: 'the service', value: median(started) },
      ],
    });
  },
});
