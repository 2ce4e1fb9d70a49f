/** A user of the command line, with a running service of their own. */
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Ended, type Home, inProcess, inTerminal, type Terminal } from './run-cli.ts';

/** The user: a folder with files and sign-ins, the commands, and the service. */
export interface User {
  readonly service: TestService;
  readonly home: Home;
  /** Runs a command as a script does. */
  readonly cli: (...args: readonly string[]) => Promise<Ended>;
  /** Runs a command with an answer to its questions. */
  readonly answering: (answer: string, ...args: readonly string[]) => Promise<Ended>;
  readonly terminal: (...args: readonly string[]) => Terminal;
  /** The path of a file in the folder. */
  readonly file: (name: string) => string;
  /** Sends a request as the demo user, beside the command line. */
  readonly api: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

/** Starts a service for a user who is not signed in yet; both go when the tests of the file have ended. */
export const newUser = async (): Promise<User> => {
  const service = await startService();
  afterAll(() => service[Symbol.asyncDispose]());
  const home = { folder: newFolders()() };
  return {
    service,
    home,
    cli: (...args) => inProcess(home, args),
    answering: (answer, ...args) => inProcess(home, args, { answer }),
    terminal: (...args) => inTerminal(home, args),
    file: (name) => join(home.folder, name),
    api: async (method, path, body) => {
      const options = body === undefined ? {} : { body: JSON.stringify(body) };
      const { text } = await service.call(method, `/v1/${service.property}${path}`, options);
      const answer: unknown = JSON.parse(text);
      return answer;
    },
  };
};

/** The JSON document that a command printed. */
export const json = <S extends v.GenericSchema>(schema: S, { stdout }: Ended): v.InferOutput<S> =>
  v.parse(schema, JSON.parse(stdout));
