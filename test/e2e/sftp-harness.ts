import * as v from 'valibot';
import { finalCounts } from '../support/api-client.ts';
import { startService } from '../support/service.ts';
import { sftpClient } from '../../local/test/support/sftp-client.ts';
import { until } from '../support/until.ts';
import { defineImport } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';

const jobList = v.object({ jobs: v.array(v.looseObject({ id: v.number(), name: v.string() })) });

/** Starts the service with its SFTP server, and helpers for tests of dropped files. */
export const sftpHarness = async () => {
  const service = await startService();
  const { sftp, username = '', password = '' } = service.cloud.endpoints;
  const account = { port: sftp?.port ?? 0, username, password };
  const imports = `/v1/${service.property}/imports`;
  const jobsOf = async (definition: number) =>
    (await service.client.get(`${imports}/${definition}/jobs`, jobList)).jobs;
  const jobOf = (definition: number, name: string) =>
    until(`the job of ${name}`, async () => (await jobsOf(definition)).find((job) => job.name === name));
  return {
    service,
    /** The demo account: host, port and login. */
    account,
    /** Makes a definition of `email` and `first_name`; returns its id. */
    define: async (more: object = {}) => {
      const path = await defineImport(service, { ...definitionOf(['email', 'first_name']), ...more });
      return Number(path.split('/').at(-1));
    },
    login: () => sftpClient(account),
    jobsOf,
    /** The job of a file, as soon as the job is listed. */
    jobOf,
    /** The end of a file's import. */
    countsOf: async (definition: number, name: string) => {
      const { id } = await jobOf(definition, name);
      return finalCounts(service.client, `${imports}/${definition}/jobs/${id}`);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
};

export type SftpHarness = Awaited<ReturnType<typeof sftpHarness>>;

/** A file of two people and a refused row. */
export const rows = (tag: string): string =>
  `email,first_name\r\na.${tag}@example.org,A\r\nb.${tag}@example.org,B\r\nwrong,C\r\n`;

/** The final counts of such a file. */
export const counted = {
  ingested: 3,
  completed: 2,
  unserializable: 1,
  status: 'complete-with-errors',
};
