import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as v from 'valibot';
import { benchClient } from './bare-table.ts';

/** Name of the table that `openPeople` fills. */
export const PEOPLE_TABLE = 'bench';

/** The attributes of each generated person. */
export const columns = [
  ...['first_name', 'last_name', 'full_name', 'email', 'unique_id', 'street', 'city', 'state'],
  ...[
    'zipcode',
    'birthday',
    'gender',
    'phone_number',
    'marital_status',
    'education_level',
    'household_income',
  ],
] as const;

const ready = v.looseTuple([v.object({ url: v.string() })]);

/**
 * Opens a table of generated people, with ordinals from 0, in another process, so that its work and memory do not count as
 * the reader's. Gives a client that reads it.
 */
export const openPeople = async (property: number, people: number) => {
  const child = fork(join(import.meta.dirname, 'people-process.ts'), [String(property), String(people)], {
    // A million people need more memory than the default of a process.
    execArgv: ['--max-old-space-size=8192'],
  });
  const stopped = once(child, 'exit').then(() => {
    throw new Error('the process of the table has ended');
  });
  const [{ url }] = v.parse(ready, await Promise.race([once(child, 'message'), stopped]));
  const client = benchClient(url);
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      const gone = stopped.catch(() => undefined);
      child.disconnect();
      await gone;
    },
  };
};
