import * as v from 'valibot';
import { finalCounts } from '../support/api-client.ts';
import { startService, type TestService } from '../support/service.ts';
import { sftpClient, type SftpClient } from '../../local/test/support/sftp-client.ts';
import { until } from '../support/until.ts';
import { defineImport } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';

/** The service with its SFTP server, and helpers for tests of dropped files. */
export interface SftpHarness extends AsyncDisposable {
  readonly service: TestService;
  /** The demo account: host, port and login. */
  readonly account: { readonly port: number; readonly username: string; readonly password: string };
  /** Makes a definition of `email` and `first_name`; returns its id. */
  define(more?: object): Promise<number>;
  login(): Promise<SftpClient>;
  jobsOf(definition: number): Promise<readonly { readonly id: number; readonly name: string }[]>;
  /** The job of a file, as soon as the job is listed. */
  jobOf(definition: number, name: string): Promise<{ readonly id: number }>;
  /** The end of a file's import. */
  countsOf(definition: number, name: string): ReturnType<typeof finalCounts>;
}

const jobList = v.object({ jobs: v.array(v.looseObject({ id: v.number(), name: v.string() })) });

/** Starts the service. */
export const sftpHarness = async (): Promise<SftpHarness> => {
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
    account,
    define: async (more = {}) => {
      const path = await defineImport(service, { ...definitionOf(['email', 'first_name']), ...more });
      return Number(path.split('/').at(-1));
    },
    login: () => sftpClient(account),
    jobsOf,
    jobOf,
    countsOf: async (definition, name) => {
      const { id } = await jobOf(definition, name);
      return finalCounts(service.client, `${imports}/${definition}/jobs/${id}`);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
};

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
