/** DynamoDB Local: AWS's own engine for tests. `.ci/dynamodb-local` installs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';

const FOLDER = join(import.meta.dirname, '../../.build/dynamodb-local');

/** The start takes 2 s on a machine that has nothing else to do. */
const START_MS = 60_000;

/** Whether the program is installed. */
export const isInstalled = (): boolean => existsSync(join(FOLDER, 'DynamoDBLocal.jar'));

/** A running DynamoDB Local without data. */
export interface DynamoDbLocal {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts DynamoDB Local in memory on a free port. Throws when it does not answer. */
export const startDynamoDbLocal = async (): Promise<DynamoDbLocal> => {
  if (!isInstalled()) throw new Error('DynamoDB Local is not installed: .ci/dynamodb-local installs it');
  const port = await freePort();
  const process = spawn('java', [...machine, '-jar', 'DynamoDBLocal.jar', ...settings(port)], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Rejects where Java is missing.
  const ended = once(process, 'close');
  const url = `http://127.0.0.1:${port}`;
  const isUp = await Promise.race([untilAnswering(url).then(() => true), ended.then(() => false)]);
  if (!isUp) throw new Error('DynamoDB Local ended during its start');
  return {
    url,
    stop: async () => {
      process.kill('SIGKILL');
      await ended;
    },
  };
};

/** The tests are short: a compiler that optimizes little and a simple collector start faster. */
const machine = [
  '-Xmx1g',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Djava.library.path=./DynamoDBLocal_lib',
];

const settings = (port: number): string[] => ['-inMemory', '-disableTelemetry', '-port', String(port)];

const untilAnswering = async (url: string): Promise<void> => {
  for (const end = Date.now() + START_MS; Date.now() < end;) {
    // Without a signature the program answers with a refusal.
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    await sleep(50);
  }
  throw new Error('DynamoDB Local does not answer');
};
