import { expect, it } from 'vitest';
import { noticeLine } from '../../../cli/standalone/start/notice.ts';

const lineOf = (message: string) => noticeLine({ topic: 'arn', message });
const change = { AlarmName: 'tidemark-local-drain', AlarmDescription: 'Page: segments lag' };

it.each([
  ['ALARM', 'ALARM tidemark-local-drain. Page: segments lag'],
  ['OK', 'OK tidemark-local-drain'],
])('an alarm that is %s has a line', (NewStateValue, line) => {
  expect(lineOf(JSON.stringify({ ...change, NewStateValue }))).toBe(line);
});

it('another message is a line of its own', () => {
  expect(lineOf('Page: DisableKey of the key k')).toBe('Page: DisableKey of the key k');
});
