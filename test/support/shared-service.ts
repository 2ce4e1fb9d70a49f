import { test } from 'vitest';
import { seedAccounts } from '../../cli/standalone/seed.ts';
import { refuse, serviceOf, startChecked, type Service } from './service.ts';

let files = 0;

/**
 * Hooks and tests with a service on the cloud that all files of a worker share. Each file gets two accounts of its own.
 * The file fails at its end when an answer differed from the API document. The cloud stops when the worker ends.
 */
export const shared = test
  .extend('checked', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const checked = await startChecked();
    onCleanup(() => checked.cloud.stop());
    return checked;
  })
  .extend('service', { scope: 'file' }, async ({ checked }, { onCleanup }): Promise<Service> => {
    const { cloud } = checked;
    const earlier = checked.differences().length;
    files += 1;
    const names = [`file${files}`, `other${files}`] as const;
    const accounts = await seedAccounts((name, payload) => cloud.invoke(name, payload), { names });
    onCleanup(() => refuse(checked.differences().slice(earlier)));
    return serviceOf({ ...cloud, endpoints: { ...cloud.endpoints, ...accounts } });
  });
