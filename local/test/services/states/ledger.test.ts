import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLedger, type Execution } from '../../../services/states/ledger.ts';
import { newFolders } from '../../support/folders.ts';

const newFolder = newFolders();
const DAY_MS = 86_400_000;
const running: Execution = {
  ...{ arn: 'one', machineArn: 'm', name: 'one', input: '{}', status: 'RUNNING', started: 0 },
  ...{ steps: [], crashes: {} },
};

it('a closed execution keeps its name for 90 days; then a start drops it, in its file too', () => {
  const folder = newFolder();
  const first = openLedger(folder, 0);
  first.put(running);
  first.put({ ...running, status: 'SUCCEEDED', stopped: 0 });
  first.put({ ...running, arn: 'two' });
  first.close();
  openLedger(folder, 90 * DAY_MS).close();
  expect(readFileSync(join(folder, 'executions.jsonl'), 'utf8')).toContain('"one"');
  const later = openLedger(folder, 90 * DAY_MS + 1);
  later.close();
  expect(later.all().map(({ arn }) => arn)).toEqual(['two']);
  expect(readFileSync(join(folder, 'executions.jsonl'), 'utf8')).not.toContain('"arn":"one"');
});
