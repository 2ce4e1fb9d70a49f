/**
 * A process that runs functions in the thread of its gateway. Its first argument is a folder, its second the source of the
 * functions `f` and `g`, which share a bundle, its third the events of each turn. It prints the outcomes of each turn.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { gatewayThread } from '../../../services/lambda/gateway-thread.ts';
import { createLogs } from '../../../services/lambda/logs.ts';
import { watchForLoops } from '../../../services/lambda/loop-watch.ts';
import { createRunner } from '../../../services/lambda/runner.ts';

const Turns = v.array(v.record(v.string(), v.record(v.string(), v.unknown())));

const [folder = '', source = '', given = '[]', mostSeconds] = process.argv.slice(2);
const file = join(folder, 'index.mjs');
writeFileSync(file, source);
const logs = createLogs(join(folder, 'logs'));
const of = (name: string) => ({
  ...{ name, arn: `arn:${name}`, file, exportName: 'handler', env: { NAME: name }, memoryMb: 64 },
  ...{ timeoutSeconds: 20, logGroup: `/${name}`, mostSandboxes: 2, startThread: gatewayThread },
});
const runner = createRunner({ logs, functions: [of('f'), of('g')] });
if (mostSeconds !== undefined) watchForLoops(Number(mostSeconds));
for (const turn of v.parse(Turns, JSON.parse(given))) {
  const outcomes = await Promise.all(
    Object.entries(turn).map(([name, event]) => runner.invoke(name, JSON.stringify(event))),
  );
  console.log(JSON.stringify(outcomes));
}
await runner.end();
await logs.close();
